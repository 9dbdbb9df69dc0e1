import { type AnyCore, metaOf } from './definition.ts'
import { describeChecks } from './json-schema-checks.ts'
import { mayMiss } from './json-schema-missing.ts'
import type { Context, DescribedDefinition, JsonSchema, State } from './json-schema-types.ts'
import {
  definitionsKey,
  discriminatedSchema,
  enumSchema,
  isJson,
  keywordsOf,
  literalSchema,
  nullableSchema,
  nullSchema,
  placeText,
  unionOptions,
  unknownSchema,
  wordsSchema,
} from './json-schema-values.ts'

/** Deepest nesting of schemas that is described. */
const MAX_OPEN = 1000

/** Describe a schema; schemas that contain themselves become separate definitions. */
export const convert = (schema: AnyCore, context: Context): JsonSchema => {
  const { names = new Map(), definitions = {}, twins = new Map() } = context.document ?? {}
  const state: State = { ...context, names, definitions, twins, open: new Set(), path: [], shared: false }
  const described = describe(schema, state)
  return names.size && !context.document ? { ...described, [definitionsKey(state)]: definitions } : described
}

const describe = (schema: AnyCore, state: State): JsonSchema => {
  const other = state.document?.insteadOf(schema)
  if (other && !('def' in other)) return other
  const def = (other ?? schema).def as DescribedDefinition
  const same = def.getter ?? schema
  const key = isApart(schema, state) ? twinOf(same, state) : same
  if (state.open.has(key) || state.names.has(key)) return reference(key, state)
  if (state.open.size > MAX_OPEN) throw new TypeError(`toJsonSchema: nested without end${placeText(state)}`)
  const documentName = state.document?.nameOf(schema, false, key === same ? undefined : key)
  if (documentName) state.names.set(key, documentName)
  state.open.add(key)
  const keywords = { ...byType(def, state), ...def.says?.((child) => describe(child, state), state.target) }
  state.open.delete(key)
  const described = { ...keywords, ...keywordsOf(metaOf(def), state) }
  const name = state.names.get(key)
  if (name === undefined) return described
  state.definitions[name] = described
  return reference(key, state)
}

const twinOf = (key: unknown, { twins }: State): unknown => {
  const twin = twins.get(key) ?? {}
  twins.set(key, twin)
  return twin
}

/** Whether the description of an output differs from that of the input. */
const isApart = (schema: AnyCore, { io, document, shared }: State): boolean =>
  io === 'output' && (document ? changesValue(schema) : shared)

/** Whether the output of a schema differs from its input in any part. */
const changesValue = (schema: AnyCore, visited: Set<unknown> = new Set()): boolean => {
  const { type, getter, inner, left, right, catchall, rest, options, items, shape } = schema.def as DescribedDefinition
  if (/^(default|catch|transform|preprocess|pipe|stringbool)$/.test(type)) return true
  const key = getter ?? schema
  if (visited.has(key)) return false
  visited.add(key)
  const innerSchema = getter?.()
  const parts = [innerSchema, inner, left, right, catchall, rest, options, items, Object.values(shape ?? {})].flat()
  return parts.some((part) => part !== undefined && changesValue(part, visited))
}

/** A schema that contains itself gets a name when it is met for the second time. */
const reference = (key: unknown, state: State): JsonSchema => {
  const { names, document } = state
  const name = names.get(key) ?? document?.nameOf(key as AnyCore, true) ?? `schema${names.size + 1}`
  names.set(key, name)
  return { $ref: `${document?.place ?? `#/${definitionsKey(state)}/`}${name}` }
}

const byType = (def: DescribedDefinition, state: State): JsonSchema => {
  const { type, inner, checks = [] } = def
  const { target, document } = state
  const isInput = state.io === 'input'
  const into = (child: AnyCore | undefined): JsonSchema => describe(child!, state)
  if (/^(any|unknown)$/.test(type) || (def.coerce && isInput && /^(string|number|boolean)$/.test(type))) return {}
  if (type === 'string' || type === 'number') {
    const isInteger = checks.some(({ kind }) => kind === 'int')
    return { type: isInteger ? 'integer' : type, ...describeChecks(checks, target) }
  }
  if (type === 'boolean') return { type }
  if (type === 'stringbool') return isInput ? wordsSchema(def) : { type: 'boolean' }
  if (type === 'never') return { not: {} }
  if (type === 'null') return nullSchema(state)
  if (type === 'literal') return literalSchema(def.value, state)
  if (type === 'enum') return enumSchema(def.values!, state)
  if (type === 'array')
    return { type, items: describeUnder(inner, state, '[]'), ...describeChecks(checks, target, 'Items') }
  if (type === 'tuple') return tupleSchema(def, state)
  if (type === 'record') return recordSchema(def, state)
  if (type === 'object') return objectSchema(def, state)
  if (type === 'union') return { anyOf: unionOptions(def.options!).map(into) }
  if (type === 'discriminatedUnion') return discriminatedSchema(def, def.options!.map(into))
  if (type === 'intersection')
    return { allOf: [def.left, def.right].map((side) => describe(side!, { ...state, shared: true })) }
  if (/^(optional|refine|brand)$/.test(type)) return into(inner)
  if (type === 'nullable') return nullableSchema(into(inner), state)
  if (type === 'readonly') return { ...into(inner), ...(!isInput && !document && { readOnly: true }) }
  if (type === 'default') return { ...into(inner), ...(isJson(def.value) && { default: def.value }) }
  if (type === 'catch' || type === 'preprocess') return isInput ? {} : into(inner)
  if (type === 'transform') return isInput ? into(inner) : {}
  if (type === 'pipe') return into(isInput ? inner : def.target)
  if (type === 'lazy') return into(def.getter!())
  return unknownSchema(type, state)
}

const describeUnder = (schema: AnyCore | undefined, state: State, key: string): JsonSchema =>
  describe(schema!, { ...state, path: [...state.path, key] })

const tupleSchema = (def: DescribedDefinition, state: State): JsonSchema => {
  const items = def.items!.map((item, index) => describeUnder(item, state, `${index}`))
  const rest = def.rest ? [describeUnder(def.rest, state, '[]')] : []
  const size = { minItems: items.length, ...(!rest.length && { maxItems: items.length }) }
  if (state.target === 'openapi-3.0') {
    const all = [...items, ...rest]
    return { type: 'array', items: all.length ? { anyOf: all } : {}, ...size }
  }
  const [itemsKey, restKey] = state.target === 'draft-7' ? ['items', 'additionalItems'] : ['prefixItems', 'items']
  return {
    type: 'array',
    ...(items.length && { [itemsKey]: items }),
    ...(rest.length && { [items.length ? restKey : 'items']: rest[0] }),
    ...size,
  }
}

const recordSchema = (def: DescribedDefinition, state: State): JsonSchema => {
  const additionalProperties = describeUnder(def.inner, state, '*')
  const propertyNames = describe(def.key!, state)
  // Names are strings in JSON, even if a key is coerced to another type
  const isNoText = /"type":"(?!string)/.test(JSON.stringify(propertyNames)) && state.io === 'output'
  if (state.target === 'openapi-3.0' || isNoText) return { type: 'object', additionalProperties }
  return { type: 'object', propertyNames, additionalProperties }
}

const objectSchema = (def: DescribedDefinition, state: State): JsonSchema => {
  const entries = Object.entries(def.shape!)
  const properties = Object.fromEntries(entries.map(([key, field]) => [key, describeUnder(field, state, key)]))
  const required = entries.filter(([, field]) => !mayMiss(field, state.io, !!state.document)).map(([key]) => key)
  const restSchema = def.catchall ? describeUnder(def.catchall, state, '*') : undefined
  // A document describes the sent value, from which nothing was removed
  const isStripped = state.io === 'output' && def.unknownKeys === 'strip' && !state.shared && !state.document
  const closed = def.unknownKeys === 'strict' || isStripped
  return {
    type: 'object',
    properties,
    ...(required.length && { required }),
    ...(restSchema ? { additionalProperties: restSchema } : closed && { additionalProperties: false }),
  }
}
