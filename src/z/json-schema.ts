import type { Check, Definition } from './definition.ts'
import { describeChecks } from './json-schema-checks.ts'
import type { AnySchema } from './schema.ts'

/** A JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** A dialect of JSON Schema. */
export type Target = 'draft-2020-12' | 'draft-7' | 'openapi-3.0'

export interface Context {
  readonly target: Target
  readonly io: 'input' | 'output'
  readonly unrepresentable: 'throw' | 'any'
}

interface State extends Context {
  /** The name of each lazy schema that was met. */
  readonly names: Map<unknown, string>
  readonly definitions: { [name: string]: JsonSchema }
}

interface Parts extends Definition {
  readonly [part: string]: unknown
  readonly inner: AnySchema
  readonly checks: readonly Check[]
}

/** Describe a schema; lazy schemas come as definitions beside it. */
export const convert = (schema: AnySchema, context: Context): JsonSchema => {
  const state: State = { ...context, names: new Map(), definitions: {} }
  const described = describe(schema, state)
  const place = context.target === 'draft-2020-12' ? '$defs' : 'definitions'
  return state.names.size ? { ...described, [place]: state.definitions } : described
}

const describe = (schema: AnySchema, state: State): JsonSchema => {
  const own = byType(schema.def as Parts, state)
  const { description } = schema
  return description === undefined || '$ref' in own ? own : { ...own, description }
}

const byType = (def: Parts, state: State): JsonSchema => {
  const { type, inner, checks } = def
  const into = (child: AnySchema): JsonSchema => describe(child, state)
  switch (type) {
    case 'string':
      return def.coerce && state.io === 'input' ? {} : { type, ...describeChecks(checks, state.target) }
    case 'number': {
      if (def.coerce && state.io === 'input') return {}
      const described = describeChecks(checks, state.target)
      return { type: checks.some(({ kind }) => kind === 'int') ? 'integer' : type, ...described }
    }
    case 'boolean':
      return def.coerce && state.io === 'input' ? {} : { type }
    case 'stringbool':
      return state.io === 'input' ? { type: 'string' } : { type: 'boolean' }
    case 'any':
    case 'unknown':
      return {}
    case 'never':
      return { not: {} }
    case 'null':
      return nothing(state)
    case 'literal':
      return constant(def.value, state)
    case 'enum':
      return { enum: [...(def.values as unknown[])] }
    case 'array':
      return { type, items: into(inner), ...describeChecks(checks, state.target, 'Items') }
    case 'tuple':
      return tuple(def, state)
    case 'record':
      return record(def, state)
    case 'object':
      return object(def, state)
    case 'union':
      return { anyOf: (def.options as AnySchema[]).map(into) }
    case 'discriminatedUnion':
      return { oneOf: (def.options as AnySchema[]).map(into) }
    case 'intersection':
      return { allOf: [into(def.left as AnySchema), into(def.right as AnySchema)] }
    case 'nullable':
      return state.target === 'openapi-3.0' ? openNullable(into(inner)) : { anyOf: [into(inner), { type: 'null' }] }
    case 'default': {
      const value = typeof def.value === 'function' ? {} : { default: def.value }
      return { ...into(inner), ...value }
    }
    case 'catch':
      return state.io === 'input' ? {} : into(inner)
    case 'pipe':
      return into(state.io === 'input' ? inner : (def.target as AnySchema))
    case 'transform':
      return state.io === 'input' ? into(inner) : {}
    case 'preprocess':
      return state.io === 'input' ? {} : into(inner)
    case 'lazy':
      return reference(def, state)
    case 'readonly':
      return { ...into(inner), ...(state.io === 'output' && { readOnly: true }) }
    case 'optional':
    case 'refine':
    case 'brand':
      return into(inner)
    default:
      return unsaid(type, state)
  }
}

const unsaid = (type: string, { unrepresentable }: State): JsonSchema => {
  if (unrepresentable === 'any') return {}
  throw new TypeError(`toJsonSchema: JSON Schema has no words for ${type}()`)
}

const nothing = ({ target }: State): JsonSchema =>
  target === 'openapi-3.0' ? { type: 'string', nullable: true, enum: [null] } : { type: 'null' }

/** OpenAPI 3.0 says `nullable` beside a `type`; what has none, or names its values, gets an alternative. */
const openNullable = (inner: JsonSchema): JsonSchema =>
  'type' in inner && !('enum' in inner)
    ? { ...inner, nullable: true }
    : { anyOf: [inner, { type: 'string', nullable: true, enum: [null] }] }

const constant = (value: unknown, state: State): JsonSchema => {
  if (value === null) return nothing(state)
  const type = typeof value
  if (type !== 'string' && type !== 'number' && type !== 'boolean') return unsaid(`literal(${type})`, state)
  return state.target === 'openapi-3.0' ? { type, enum: [value] } : { const: value }
}

const tuple = (def: Parts, state: State): JsonSchema => {
  const items = (def.items as AnySchema[]).map((item) => describe(item, state))
  const rest = def.rest ? describe(def.rest as AnySchema, state) : undefined
  const size = { minItems: items.length, ...(!rest && { maxItems: items.length }) }
  if (state.target === 'openapi-3.0') {
    const all = rest ? [...items, rest] : items
    return { type: 'array', items: all.length ? { anyOf: all } : {}, ...size }
  }
  return state.target === 'draft-7'
    ? {
        type: 'array',
        ...(items.length && { items }),
        ...(rest && { [items.length ? 'additionalItems' : 'items']: rest }),
        ...size,
      }
    : { type: 'array', ...(items.length && { prefixItems: items }), ...(rest && { items: rest }), ...size }
}

const record = (def: Parts, state: State): JsonSchema => {
  const additionalProperties = describe(def.inner, state)
  if (state.target === 'openapi-3.0') return { type: 'object', additionalProperties }
  return { type: 'object', propertyNames: describe(def.key as AnySchema, state), additionalProperties }
}

const object = (def: Parts, state: State): JsonSchema => {
  const entries = Object.entries(def.shape as { [key: string]: AnySchema })
  const properties = Object.fromEntries(entries.map(([key, field]) => [key, describe(field, state)]))
  const required = entries.filter(([, field]) => !mayMiss(field, state.io)).map(([key]) => key)
  const rest = def.catchall ? describe(def.catchall as AnySchema, state) : undefined
  const closed = def.unknownKeys === 'strict' || (state.io === 'output' && def.unknownKeys === 'strip')
  return {
    type: 'object',
    properties,
    ...(required.length && { required }),
    ...(rest ? { additionalProperties: rest } : closed && { additionalProperties: false }),
  }
}

/** Does a schema accept (or may it give) nothing at all. */
const mayMiss = ({ def }: AnySchema, io: Context['io']): boolean => {
  const { inner, options, target, left, right } = def as Parts
  const into = (child: unknown): boolean => mayMiss(child as AnySchema, io)
  switch (def.type) {
    case 'optional':
    case 'any':
    case 'unknown':
      return true
    case 'default':
    case 'catch':
      return io === 'input' || (def.type === 'catch' && into(inner))
    case 'union':
      return (options as AnySchema[]).some(into)
    case 'intersection':
      return into(left) && into(right)
    case 'pipe':
      return into(io === 'input' ? inner : target)
    case 'preprocess':
      return io === 'input' || into(inner)
    case 'transform':
      return io === 'output' || into(inner)
    case 'refine':
    case 'brand':
    case 'readonly':
    case 'nullable':
      return into(inner)
    default:
      return io === 'input' && !!(def as Parts).coerce
  }
}

const reference = (def: Parts, state: State): JsonSchema => {
  const schema = (def.getter as () => AnySchema)()
  const known = state.names.get(schema)
  const name = known ?? `schema${state.names.size + 1}`
  if (!known) {
    state.names.set(schema, name)
    state.definitions[name] = describe(schema, state)
  }
  return { $ref: `#/${state.target === 'draft-2020-12' ? '$defs' : 'definitions'}/${name}` }
}
