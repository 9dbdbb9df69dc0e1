import { byDefault, discriminated, pipe, readonly, same, union, unless } from './choices.ts'
import { checked, exactly, ofType, oneOf, simple } from './leaves.ts'
import { array, record, tuple } from './lists.ts'
import { object } from './objects.ts'
import {
  arrow,
  built,
  type Fallback,
  join,
  local,
  once,
  type Piece,
  type Scope,
  statements,
  type Unit,
  type ValuePlace,
} from './piece.ts'
import { childrenOf, type Definition, type Schema, shapeAccess } from './schema.ts'

/**
 * The body of the function that `compiled` calls, which returns a run. Undefined if no part of the schema can be
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

/** The name of a run that is compiled completely or in part; undefined if only the interpreter can run the schema. */
const runFor = (schema: Schema, place: ValuePlace, unit: Unit, root = false): string | undefined => {
  const { opaque, ownReason, circular } = unit.insight(schema)
  if (!opaque || (isOpenObject(schema) && (root || !circular)))
    return functionOf(schema, place, unit, root ? 'own' : once(unit, `runOf(${place.ref})`))
  const innerReason = circular ? opaque : `${schema.def.type} that holds ${opaque}`
  unit.fallbacks.push({ path: place.path, reason: ownReason ?? innerReason })
  return circular ? undefined : interpretedBy(schema, place, unit)
}

/** True for an object whose fields may run code of the user. Its other fields are checked first. */
const isOpenObject = ({ def }: Schema): boolean => def.type === 'object' && !def.catchall

/** A separate run for a schema. It calls the run `interpreted` for values that it does not accept. */
const functionOf = (schema: Schema, place: ValuePlace, unit: Unit, interpreted: string): string => {
  const scope: Scope = { unit, emit, field, leave: `return ${interpreted}(v, issues)`, open: false }
  const piece = emit(schema, { ...place, x: 'v', keys: [] }, scope)
  const checks = piece.test === undefined ? piece.check : statements(piece, scope)
  const lines = [...checks, ...(scope.open ? ['let ok = true'] : []), ...piece.build]
  const end = scope.open ? `return ok ? ${piece.out} : INVALID` : `return ${piece.out}`
  return once(unit, arrow('v, issues', [...lines, end]))
}

/**
 * The interpreted run of a schema with compiled children, if that is faster; undefined if no child is compiled.
 */
const interpretedBy = (schema: Schema, place: ValuePlace, unit: Unit): string | undefined => {
  const children = childrenOf(schema).flatMap(([access, child, label]) => {
    if (isLeaf(child)) return []
    const ref = `${place.ref}${access}`
    const path = join(place.path, label)
    const run = runFor(child, { ...place, ref, path }, unit)
    return run ? [`${ref}, ${run}`] : []
  })
  return children.length ? once(unit, `interpreted(${place.ref}, [${children.join(', ')}])`) : undefined
}

/** True for a schema that the interpreter runs as fast as compiled code, or that cannot be compiled. */
const isLeaf = (schema: Schema): boolean => childrenOf(schema).length === 0

/** The code of a schema that runs no code of the user, or of an open object. */
const emit = (schema: Schema, place: ValuePlace, scope: Scope): Piece => {
  const { def } = schema
  return EMITTERS[def.type]?.(def, place, scope) ?? quietly(schema, place, scope)
}

/** Code that runs the interpreter for a value, and ignores its issues. */
const quietly = (schema: Schema, place: ValuePlace, { unit, leave }: Scope): Piece => {
  unit.fallbacks.push({ path: place.path, reason: `${schema.def.type} is interpreted` })
  const run = interpretedBy(schema, place, unit) ?? once(unit, `runOf(${place.ref})`)
  const out = local(unit)
  return built([`const ${out} = quiet(${run}, ${place.x})`, `if (${out} === MISS) ${leave}`], out, false)
}

/** A field of an object: compiled, or run by the interpreter, with its issues, after all other checks. */
const field = (schema: Schema, place: ValuePlace, scope: Scope): Piece => {
  const { unit } = scope
  const { opaque, circular } = unit.insight(schema)
  if (!opaque || (isOpenObject(schema) && !circular)) return emit(schema, place, scope)
  scope.open = true
  const run = runFor(schema, place, unit) ?? once(unit, circular ? runIn(place) : `runOf(${place.ref})`)
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

/** The run of a field that contains itself, with the guard that its object puts around it. */
const runIn = ({ ref, keys }: ValuePlace): string => {
  const key = `${keys.at(-1)}`
  return `runIn(${ref.slice(0, -shapeAccess(key).length)}, ${JSON.stringify(key)})`
}

/** The kinds that are compiled; the interpreter runs all others. */
const EMITTERS: Readonly<Record<string, (def: Definition, place: ValuePlace, scope: Scope) => Piece | undefined>> = {
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
