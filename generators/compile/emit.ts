import { condition, literal } from './checks.ts'
import { CHANGES, type Insight } from './insight.ts'
import { childrenOf, type Definition, type Schema, shapeAccess } from './schema.ts'

/** A part that is left to the interpreter, and why. */
export interface Fallback {
  readonly path: string
  readonly reason: string
}

/** The code of one schema. */
interface Unit {
  readonly insight: (schema: Schema) => Insight
  /** What is made once, and its name: references into the schema, runs, functions. */
  readonly once: Map<string, string>
  readonly fallbacks: Fallback[]
  count: number
}

/** The function that is written: `open` when it runs code of the user, after every check of its own. */
interface Scope {
  readonly unit: Unit
  /** The statement that leaves it with a value that does not fit. */
  readonly leave: string
  open: boolean
}

/** Where a schema stands: how code gets to it, the name of its value, its place for the reader and for issues. */
interface Place {
  readonly ref: string
  readonly x: string
  readonly path: string
  readonly keys: readonly string[]
}

/** The code of a schema at a place. A value that only has to be looked at has a `test`, and no other code. */
interface Piece {
  readonly test?: string
  /** Statements that leave the function when the value does not fit. */
  readonly check: readonly string[]
  /** Statements that make the output, once everything fits. */
  readonly build: readonly string[]
  /** The output. */
  readonly out: string
  /** Is the output never `undefined`. */
  readonly definite: boolean
}

/** Values that code compares one after the other; longer lists are sets. */
const MOST_COMPARED = 12

const IS_OBJECT = (x: string): string => `(${x}?.constructor === Object || isObject(${x}))`

/**
 * The body of the function that `compiled` calls: it returns a run. Undefined for a schema of which nothing can be
 * compiled.
 */
export const emitSchema = (
  schema: Schema,
  insight: Unit['insight'],
): { readonly lines: readonly string[] | undefined; readonly fallbacks: readonly Fallback[] } => {
  const unit: Unit = { insight, once: new Map(), fallbacks: [], count: 0 }
  const run = runFor(schema, { ref: 'schema', x: 'v', path: '', keys: [] }, unit, true)
  const made = [...unit.once].flatMap(([code, name]) => `const ${name} = ${code}`.split('\n'))
  return { lines: run === undefined ? undefined : [...made, `return ${run}`], fallbacks: unit.fallbacks }
}

/** A name for something that is made once. */
const once = (unit: Unit, code: string): string => {
  const known = unit.once.get(code)
  if (known) return known
  const name = `c${++unit.count}`
  unit.once.set(code, name)
  return name
}

const local = (unit: Unit): string => `v${++unit.count}`

/** The name of a run that is compiled in full or in parts; undefined where the interpreter is all there is. */
const runFor = (schema: Schema, place: Place, unit: Unit, root = false): string | undefined => {
  const { opaque, own, circular } = unit.insight(schema)
  if (!opaque || (isOpenObject(schema) && (root || !circular)))
    return functionOf(schema, place, unit, root ? 'own' : once(unit, `runOf(${place.ref})`))
  const reason = own ?? (circular ? opaque : `${schema.def.type} that holds ${opaque}`)
  unit.fallbacks.push({ path: place.path, reason })
  return circular ? undefined : interpretedBy(schema, place, unit)
}

/** An object some of whose fields run code of the user: the others are checked first. */
const isOpenObject = ({ def }: Schema): boolean => def.type === 'object' && !def.catchall

/** A run of its own for a schema, which asks the run `own` about what it does not accept. */
const functionOf = (schema: Schema, place: Place, unit: Unit, own: string): string => {
  const scope: Scope = { unit, leave: `return ${own}(v, issues)`, open: false }
  const piece = emit(schema, { ...place, x: 'v', keys: [] }, scope)
  const body = [...(piece.test === undefined ? piece.check : statements(piece, scope)), ...piece.build]
  const at = piece.test === undefined ? piece.check.length : body.length
  const lines = scope.open ? [...body.slice(0, at), 'let ok = true', ...body.slice(at)] : body
  const end = scope.open ? `return ok ? ${piece.out} : INVALID` : `return ${piece.out}`
  return once(unit, arrow('v, issues', [...lines, end]))
}

/** The interpreted run of a schema, whose children are compiled where that is worth it; undefined if none of them is. */
const interpretedBy = (schema: Schema, place: Place, unit: Unit): string | undefined => {
  const children = childrenOf(schema).flatMap(([access, child, label]) => {
    if (isLeaf(child)) return []
    const ref = `${place.ref}${access}`
    const path = join(place.path, label)
    const run = runFor(child, { ...place, ref, path }, unit)
    return run ? [`${ref}, ${run}`] : []
  })
  return children.length ? once(unit, `interpreted(${place.ref}, [${children.join(', ')}])`) : undefined
}

/** A schema that the interpreter runs as fast as a compiled one, or that only the interpreter knows. */
const isLeaf = (schema: Schema): boolean => childrenOf(schema).length === 0

/** The code of a schema that runs nothing of the user, or of an open object. */
const emit = (schema: Schema, place: Place, scope: Scope): Piece => {
  const { def } = schema
  return EMITTERS[def.type]?.(def, place, scope) ?? quietly(schema, place, scope)
}

/** The interpreter looks at the value, and its issues are thrown away. */
const quietly = (schema: Schema, place: Place, { unit, leave }: Scope): Piece => {
  unit.fallbacks.push({ path: place.path, reason: `${schema.def.type} is interpreted` })
  const run = interpretedBy(schema, place, unit) ?? once(unit, `runOf(${place.ref})`)
  const out = local(unit)
  return built([`const ${out} = quiet(${run}, ${place.x})`, `if (${out} === MISS) ${leave}`], out, false)
}

const looked = (test: string, { x }: Place, definite = true): Piece => ({
  test,
  check: [],
  build: [],
  out: x,
  definite,
})

const built = (check: readonly string[], out: string, definite = true): Piece => ({ check, build: [], out, definite })

/** All statements of a piece that runs nothing of the user. */
const statements = ({ test, check, build }: Piece, { leave }: Scope): string[] =>
  test === undefined ? [...check, ...build] : test === 'true' ? [] : [`if (!(${test})) ${leave}`]

const indent = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)

const arrow = (parameters: string, lines: readonly string[]): string => block(`(${parameters}) =>`, lines)

const block = (head: string, lines: readonly string[]): string => [`${head} {`, ...indent(lines), '}'].join('\n')

/** A kind that is told by one test, and then has checks. */
const checked =
  (isType: (x: string) => string) =>
  (def: Definition, place: Place, { unit, leave }: Scope): Piece => {
    const { checks = [], coerce } = def
    const refer = (index: number, x: string): string =>
      condition(checks[index]!, x, (part) => once(unit, `${place.ref}.def.checks[${index}].${part}`))
    if (!coerce && !checks.some(({ change }) => change))
      return looked([isType(place.x), ...checks.map((_, index) => refer(index, place.x))].join(' && '), place)
    const x = local(unit)
    const start = coerce ? `${once(unit, `${place.ref}.def.coerce`)}(${place.x})` : place.x
    const steps = checks.map(({ kind, change }, index) =>
      change && CHANGES.has(kind) ? `${x} = ${x}.${kind}()` : `if (!(${refer(index, x)})) ${leave}`,
    )
    return built([`let ${x} = ${start}`, `if (!(${isType(x)})) ${leave}`, ...steps], x)
  }

/** A kind that only looks, after coercing perhaps. */
const simple =
  (isType: (x: string) => string, definite = true) =>
  (def: Definition, place: Place, scope: Scope): Piece =>
    def.coerce ? checked(isType)(def, place, scope) : looked(isType(place.x), place, definite)

const ofType =
  (type: string) =>
  (x: string): string =>
    `typeof ${x} === '${type}'`

const object = (def: Definition, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const check = [`if (!${IS_OBJECT(x)}) ${scope.leave}`]
  const build: string[] = []
  const fields = Object.keys(def.shape).map((key) => {
    const name = JSON.stringify(key)
    const value = local(unit)
    const own = key in Object.prototype ? `Object.hasOwn(${x}, ${name}) ? ${x}[${name}] : undefined` : `${x}[${name}]`
    check.push(`const ${value} = ${own}`)
    const piece = field(def.shape[key]!, below(place, key, value), scope)
    check.push(...(piece.test ? statements(piece, scope) : piece.check))
    build.push(...piece.build)
    return { key, name, piece }
  })
  const kept = fields.filter(({ key }) => key !== '__proto__')
  const first = kept.findIndex(({ piece }) => !piece.definite)
  const whole = first < 0 ? kept : kept.slice(0, first)
  const written = `{ ${whole.map(({ name, piece }) => `${name}: ${piece.out}`).join(', ')} }`.replace('{  }', '{}')
  const rest = def.makeRest ? restOf(def, place, scope) : undefined
  if (rest && !rest.keeps) check.push(...rest.lines(''))
  if (whole.length === kept.length && !rest?.keeps) return { check, build, out: written, definite: true }
  const out = local(unit)
  build.push(`const ${out} = ${written}`)
  for (const { name, piece } of kept.slice(whole.length)) {
    const unlessMissing = piece.definite ? '' : `if (${piece.out} !== undefined || ${name} in ${x}) `
    build.push(`${unlessMissing}${out}[${name}] = ${piece.out}`)
  }
  if (rest?.keeps) build.push(...rest.lines(out))
  // What a catchall refuses leaves the function: nothing of the user may have run before.
  return def.catchall ? built([...check, ...build], out) : { check, build, out, definite: true }
}

const below = (place: Place, key: string, x: string): Place => ({
  ref: `${place.ref}${shapeAccess(key)}`,
  x,
  path: join(place.path, key),
  keys: [...place.keys, key],
})

/** A place for the reader: `address.zip`. */
const join = (path: string, label: string): string => (path && label ? `${path}.${label}` : path || label)

/** A field of an object: compiled, or run by the interpreter with its issues when all else has been checked. */
const field = (schema: Schema, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { opaque, circular } = unit.insight(schema)
  if (!opaque || (isOpenObject(schema) && !circular)) return emit(schema, place, scope)
  scope.open = true
  const run = runFor(schema, place, unit) ?? once(unit, `runOf(${place.ref})`)
  const out = local(unit)
  return {
    check: [],
    build: [
      `const ${out} = at(${run}, ${place.x}, issues, ${once(unit, JSON.stringify(place.keys))})`,
      `if (${out} === INVALID) ok = false`,
    ],
    out,
    definite: false,
  }
}

/** What happens to the keys that the shape does not have: they are refused, or kept in the output. */
const restOf = (
  { shape, unknownKeys, catchall }: Definition,
  place: Place,
  scope: Scope,
): { readonly keeps: boolean; readonly lines: (out: string) => string[] } | undefined => {
  const { unit, leave } = scope
  const { x, ref } = place
  const keeps = catchall !== undefined || unknownKeys === 'passthrough'
  if (!keeps && unknownKeys !== 'strict') return undefined
  const keys = Object.keys(shape)
  const unknown =
    keys.length > MOST_COMPARED
      ? `!Object.hasOwn(${once(unit, `${ref}.def.shape`)}, key)`
      : keys.map((key) => `key !== ${JSON.stringify(key)}`).join(' && ') || 'true'
  const loop = (lines: readonly string[]): string[] => [
    block(`for (const key in ${x})`, [block(`if (${unknown})`, lines)]),
  ]
  if (!keeps) return { keeps, lines: () => loop([leave]) }
  const value = local(unit)
  const read = `const ${value} = ${x}[key]`
  if (!catchall)
    return {
      keeps,
      lines: (out) => loop([read, `if (${value} !== undefined && key !== '__proto__') ${out}[key] = ${value}`]),
    }
  const piece = emit(catchall, { ...place, ref: `${ref}.def.catchall`, x: value, path: join(place.path, '*') }, scope)
  const put = (out: string): string => `if (key !== '__proto__') ${out}[key] = ${piece.out}`
  return { keeps, lines: (out) => loop([read, ...statements(piece, scope), put(out)]) }
}

const array = (def: Definition, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const tests = (def.checks ?? []).map((check, index) =>
    condition(check, x, (part) => once(unit, `${place.ref}.def.checks[${index}].${part}`)),
  )
  const [out, index, item] = [local(unit), local(unit), local(unit)]
  const piece = emit(
    def.inner,
    { ...place, ref: `${place.ref}.def.inner`, x: item, path: join(place.path, '*') },
    scope,
  )
  const change = piece.out === item ? [] : [`${out}[${index}] = ${piece.out}`]
  const inside = [...statements(piece, scope), ...change]
  const loop = block(`for (let ${index} = 0; ${index} < ${out}.length; ${index}++)`, [
    `const ${item} = ${out}[${index}]`,
    ...inside,
  ])
  const test = [`Array.isArray(${x})`, ...tests].join(' && ')
  return built([`if (!(${test})) ${scope.leave}`, `const ${out} = [...${x}]`, ...(inside.length ? [loop] : [])], out)
}

const tuple = (def: Definition, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const { items, rest } = def
  const check = [`if (!(Array.isArray(${x}) && ${x}.length ${rest ? '>=' : '==='} ${items.length})) ${scope.leave}`]
  const outs = items.map((schema, index) => {
    const value = local(unit)
    const path = join(place.path, `${index}`)
    const piece = emit(schema, { ...place, ref: `${place.ref}.def.items[${index}]`, x: value, path }, scope)
    check.push(`const ${value} = ${x}[${index}]`, ...statements(piece, scope))
    return piece.out
  })
  const out = local(unit)
  check.push(`const ${out} = [${outs.join(', ')}]`)
  if (!rest) return built(check, out)
  const [index, value] = [local(unit), local(unit)]
  const piece = emit(rest, { ...place, ref: `${place.ref}.def.rest`, x: value, path: join(place.path, '*') }, scope)
  check.push(
    block(`for (let ${index} = ${items.length}; ${index} < ${x}.length; ${index}++)`, [
      `const ${value} = ${x}[${index}]`,
      ...statements(piece, scope),
      `${out}.push(${piece.out})`,
    ]),
  )
  return built(check, out)
}

const record = (def: Definition, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const [out, key, value] = [local(unit), local(unit), local(unit)]
  const name = emit(def.key, { ...place, ref: `${place.ref}.def.key`, x: key }, scope)
  const piece = emit(
    def.inner,
    { ...place, ref: `${place.ref}.def.inner`, x: value, path: join(place.path, '*') },
    scope,
  )
  const loop = block(`for (const ${key} in ${x})`, [
    ...statements(name, scope),
    `const ${value} = ${x}[${key}]`,
    ...statements(piece, scope),
    `if (${name.out === key ? key : `String(${name.out})`} !== '__proto__') ${out}[${name.out}] = ${piece.out}`,
  ])
  return built([`if (!${IS_OBJECT(x)}) ${scope.leave}`, `const ${out} = {}`, loop], out)
}

/** The code for `inner` in the place of a value that may be something else, which `unless` tells and which stays as it is. */
const unless =
  (is: (x: string) => string, definite: boolean) =>
  (def: Definition, place: Place, scope: Scope): Piece => {
    const { x } = place
    const piece = emit(def.inner, { ...place, ref: `${place.ref}.def.inner` }, scope)
    if (piece.test) return looked(`(${is(x)} || (${piece.test}))`, place, definite && piece.definite)
    const out = local(scope.unit)
    const inside = block(`if (!(${is(x)}))`, [...statements(piece, scope), `${out} = ${piece.out}`])
    return built([`let ${out} = ${x}`, inside], out, definite && piece.definite)
  }

/** What is tried one after the other: tests in their place, all else as functions. */
const union = (def: Definition, place: Place, scope: Scope): Piece => {
  const { unit } = scope
  const { x } = place
  const inside: Scope = { unit, leave: 'return MISS', open: false }
  const pieces = def.options.map((option, index) =>
    emit(option, { ...place, ref: `${place.ref}.def.options[${index}]` }, inside),
  )
  const definite = pieces.every((piece) => piece.definite)
  const tests = pieces.map(({ test }) => test)
  if (!tests.includes(undefined)) return looked(`(${tests.map((test) => `(${test})`).join(' || ')})`, place, definite)
  const out = local(unit)
  const lines = pieces.map((piece) =>
    piece.test === undefined
      ? `if (${out} === MISS) ${out} = ${once(unit, arrow(x, [...statements(piece, inside), `return ${piece.out}`]))}(${x})`
      : `if (${out} === MISS && (${piece.test})) ${out} = ${x}`,
  )
  return built([`let ${out} = MISS`, ...lines, `if (${out} === MISS) ${scope.leave}`], out, definite)
}

const discriminated = (def: Definition, place: Place, scope: Scope): Piece | undefined => {
  const { unit, leave } = scope
  const { x } = place
  const [out, tag] = [local(unit), local(unit)]
  const tags = [...def.optionsMap].map(([value, option]) => [literal(value), option] as const)
  if (tags.some(([value, option]) => value === undefined || !def.options.includes(option))) return undefined
  const cases = def.options.map((option, index) => {
    const piece = emit(option, { ...place, ref: `${place.ref}.def.options[${index}]` }, scope)
    const values = tags.filter(([, chosen]) => chosen === option).map(([value]) => `${tag} === ${value}`)
    return block(`if (${values.join(' || ')})`, [...statements(piece, scope), `${out} = ${piece.out}`])
  })
  return built(
    [
      `if (!${IS_OBJECT(x)}) ${leave}`,
      `const ${tag} = ${x}[${JSON.stringify(def.discriminator)}]`,
      `let ${out}`,
      `${cases.join(' else ')} else ${leave}`,
    ],
    out,
  )
}

/** One of some values. A set is asked where values are many, or where `===` does not know one. */
const oneOf = (def: Definition, place: Place, { unit }: Scope): Piece => {
  const codes = def.values.map(literal)
  const definite = !def.values.includes(undefined)
  if (codes.length > MOST_COMPARED || codes.some((code) => code === undefined || code === 'NaN'))
    return looked(`${once(unit, `new Set(${place.ref}.def.values)`)}.has(${place.x})`, place, definite)
  return looked(`(${codes.map((code) => `${place.x} === ${code}`).join(' || ') || 'false'})`, place, definite)
}

const exactly = (def: Definition, place: Place, { unit }: Scope): Piece =>
  looked(`${place.x} === ${literal(def.value) ?? once(unit, `${place.ref}.def.value`)}`, place, def.value !== undefined)

const byDefault = (def: Definition, place: Place, scope: Scope): Piece => {
  const x = local(scope.unit)
  const value = literal(def.value) ?? once(scope.unit, `${place.ref}.def.value`)
  const piece = emit(def.inner, { ...place, ref: `${place.ref}.def.inner`, x }, scope)
  const start = `const ${x} = ${place.x} === undefined ? ${value} : ${place.x}`
  return built([start, ...statements(piece, scope)], piece.out, piece.definite)
}

const pipe = (def: Definition, place: Place, scope: Scope): Piece => {
  const first = emit(def.inner, { ...place, ref: `${place.ref}.def.inner` }, scope)
  const x = local(scope.unit)
  const second = emit(def.target, { ...place, ref: `${place.ref}.def.target`, x }, scope)
  return built(
    [...statements(first, scope), `const ${x} = ${first.out}`, ...statements(second, scope)],
    second.out,
    second.definite,
  )
}

const readonly = (def: Definition, place: Place, scope: Scope): Piece => {
  const piece = emit(def.inner, { ...place, ref: `${place.ref}.def.inner` }, scope)
  const out = local(scope.unit)
  return built([...statements(piece, scope), `const ${out} = Object.freeze(${piece.out})`], out, piece.definite)
}

const same = (def: Definition, place: Place, scope: Scope): Piece =>
  emit(def.inner, { ...place, ref: `${place.ref}.def.inner` }, scope)

/** The kinds that are compiled; the interpreter runs all others. */
const EMITTERS: Readonly<Record<string, (def: Definition, place: Place, scope: Scope) => Piece | undefined>> = {
  string: checked(ofType('string')),
  number: checked((x) => `typeof ${x} === 'number' && ${x} === ${x}`),
  bigint: checked(ofType('bigint')),
  date: checked((x) => `${x} instanceof Date && !Number.isNaN(${x}.getTime())`),
  file: checked((x) => `${x} instanceof File`),
  boolean: simple(ofType('boolean')),
  symbol: simple(ofType('symbol')),
  null: simple((x) => `${x} === null`),
  undefined: simple((x) => `${x} === undefined`, false),
  void: simple((x) => `${x} === undefined`, false),
  nan: simple((x) => `Number.isNaN(${x})`),
  any: simple(() => 'true', false),
  unknown: simple(() => 'true', false),
  never: simple(() => 'false'),
  literal: exactly,
  enum: oneOf,
  object,
  array,
  tuple,
  record,
  optional: unless((x) => `${x} === undefined`, false),
  nullable: unless((x) => `${x} === null`, true),
  default: byDefault,
  brand: same,
  readonly,
  pipe,
  union,
  discriminatedUnion: discriminated,
}
