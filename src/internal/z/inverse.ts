import { makeUnion } from './combined-runs.ts'
import { Core, construct, derive } from './core.ts'
import type { AnyCore, Definition, DefinitionParts, Make } from './definition.ts'
import { makeLazy } from './nested.ts'
import { wrongType } from './report.ts'
import { makePipe, makeTransform } from './wrap-runs.ts'

interface CodecDefinition extends DefinitionParts {
  /** The schema of the input of a codec. */
  readonly source?: AnyCore
  readonly encode?: (value: never) => unknown
}

/** Parts of definitions that are schemas, or lists of them. */
const CHILDREN = ['inner', 'key', 'items', 'rest', 'options', 'left', 'right', 'catchall'] as const

/** The inverse of each schema; `undefined` while it is being made, for schemas that contain themselves. */
const inverses: WeakMap<AnyCore, AnyCore | undefined> = /* @__PURE__ */ new WeakMap()

/** A schema from outputs to inputs. @throws {TypeError} for `transform` and `preprocess`, which cannot be reversed. */
export const inverse = (schema: AnyCore): AnyCore => {
  const ready = inverses.get(schema)
  if (ready) return ready
  if (inverses.has(schema)) return lazyOf(() => inverse(schema))
  inverses.set(schema, undefined)
  try {
    const inverted = invert(schema)
    inverses.set(schema, inverted)
    return inverted
  } finally {
    if (!inverses.get(schema)) inverses.delete(schema)
  }
}

const invert = (schema: AnyCore): AnyCore => {
  const def = schema.def as CodecDefinition
  const { type, inner, target, source, encode, getter } = def
  if (encode) {
    const definition = { type: 'transform', inner: inverse(target!), change: encode }
    return pipeOf(construct(Core, definition, makeTransform), inverse(source!))
  }
  if (type === 'stringbool') return construct(Core, { ...def, type: 'word' }, makeWord)
  if (/transform|preprocess|function/.test(type))
    throw new TypeError(`encode: schema: expected a schema that can be reversed, got ${type}()`)
  if (type === 'pipe') return pipeOf(inverse(target!), inverse(inner!))
  if (/default|catch|readonly/.test(type)) return inverse(inner!)
  if (getter) return lazyOf(() => inverse(getter()))
  const changes = invertParts(def)
  if (!changes) return schema
  if (def.optionsMap && !keepsTag(schema, def.discriminator!))
    return construct(Core, { type: 'union', options: changes.options, params: def.params }, makeUnion)
  // The check is about the output, which is the input here: it runs first
  if (type === 'refine') return pipeOf(derive(schema, { ...def, inner: outputOf(inner!) }), changes.inner as AnyCore)
  return derive(schema, { ...def, ...changes })
}

/** The first word for `true` or `false`. */
const makeWord: Make =
  ({ words, params }: Definition & { words: ReadonlyMap<string, boolean> }) =>
  (value, issues) => {
    for (const [word, meant] of words) if (meant === value) return word
    return wrongType(issues, value, 'boolean', params)
  }

/** The members that the inverse changes; `undefined` if no part contains a codec. */
const invertParts = (def: DefinitionParts): { [part: string]: unknown } | undefined => {
  const changes: { [part: string]: unknown } = {}
  for (const part of CHILDREN) {
    const value = def[part]
    const oldParts = [value].flat()
    const newParts = oldParts.map((child) => child && inverse(child))
    if (newParts.some((child, index) => child !== oldParts[index]))
      changes[part] = Array.isArray(value) ? newParts : newParts[0]
  }
  const { shape = {} } = def
  const isGetter = (key: string): boolean => Object.getOwnPropertyDescriptor(shape, key)!.get !== undefined
  // A getter is called later, because it may make new schemas without end
  const fieldOf = (key: string): AnyCore => (isGetter(key) ? lazyOf(() => inverse(shape[key]!)) : inverse(shape[key]!))
  const fields = Object.keys(shape).map((key) => [key, fieldOf(key)] as const)
  if (fields.some(([key, field]) => isGetter(key) || field !== shape[key])) changes.shape = Object.fromEntries(fields)
  if (def.optionsMap && changes.options)
    changes.optionsMap = new Map([...def.optionsMap].map(([value, option]) => [value, inverse(option)]))
  return Object.keys(changes).length ? changes : undefined
}

/** Whether no alternative changes the key by which it is chosen; otherwise every alternative must be tried. */
const keepsTag = ({ def }: AnyCore, key: string): boolean => {
  const { shape, options, inner } = def as DefinitionParts
  if (shape) return inverse(shape[key]!) === shape[key]
  return options ? options.every((option) => keepsTag(option, key)) : keepsTag(inner!, key)
}

/** The schema without its checks, which run later. Outputs that only a codec knows are not tested. */
const outputOf = (schema: AnyCore): AnyCore => {
  const { type, target, inner, checks, shape, catchall } = schema.def as DefinitionParts
  if (target) return outputOf(target)
  if (type === 'refine') return outputOf(inner!)
  if (inverse(schema) === schema) return checks ? derive(schema, { ...schema.def, checks: [] }) : schema
  if (!shape) return new Core({ type: 'any' }, () => (value: unknown) => value)
  const fields = Object.keys(shape).map((key) => [key, lazyOf(() => outputOf(shape[key]!))] as const)
  const changes = { shape: Object.fromEntries(fields), catchall: catchall && outputOf(catchall) }
  return derive(schema, { ...schema.def, ...changes })
}

const pipeOf = (inner: AnyCore, target: AnyCore): AnyCore => construct(Core, { type: 'pipe', inner, target }, makePipe)

const lazyOf = (getter: () => AnyCore): AnyCore => construct(Core, { type: 'lazy', getter }, makeLazy)
