import { block, keyOf, literal } from './code.ts'
import { isPart, listOf, lookUp, type Part, partOf, type Source, textOf } from './document.ts'
import { numberCode, stringCode } from './scalars.ts'
import { defaultCode, valuesCode } from './values.ts'

/** How a schema becomes code. */
export interface SchemaContext {
  readonly source: Source
  /** Where the schema stands, for notes. */
  readonly where: string
  /** Values arrive as texts: in a path, a query, a header or a form. */
  readonly asText: boolean
  /** The code for a reference to a named schema. */
  readonly refer: (name: string) => string
  /** References that are being written out in place. */
  readonly within?: readonly string[]
}

/** Deeper schemas accept anything. */
const DEEPEST = 40

/** Keywords that `z` has no counterpart for. */
const UNSUPPORTED = [
  ...['not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'contains'],
  ...['minContains', 'maxContains', 'uniqueItems', 'unevaluatedItems', 'unevaluatedProperties', 'dependentRequired'],
  ...['dependentSchemas', '$dynamicRef', 'contentEncoding', 'contentMediaType', 'readOnly', 'writeOnly'],
]

/** The code of a JSON Schema, as OpenAPI 3.0 and 3.1 have it. What it cannot express is noted. */
export const schemaCode = (schema: unknown, context: SchemaContext, depth = 0): string => {
  const { source, where } = context
  const note = (what: string): void => void source.notes.push({ where, what })
  if (schema === false) return 'z.never()'
  if (!isPart(schema) || depth > DEEPEST) {
    if (depth > DEEPEST) note('nested too deeply: accepts anything')
    return 'z.unknown()'
  }
  if (textOf(schema.$ref) !== undefined) return referenceCode(schema, context, depth)
  for (const keyword of UNSUPPORTED)
    if (schema[keyword] !== undefined && schema[keyword] !== false) note(`"${keyword}" is not checked`)
  const { description, default: fill } = schema
  const types = typesOf(schema)
  const code = valueCode(schema, types, context, depth)
  const nullable =
    !code.startsWith('z.unknown') && (schema.nullable === true || (types.includes('null') && types.length > 1))
  return [
    code,
    nullable ? '.nullable()' : '',
    typeof description === 'string' && description.trim() ? `.describe(${literal(description.trim())})` : '',
    fill === undefined || (fill === null && !nullable) ? '' : defaultCode(fill, schema, types, context),
  ].join('')
}

export const typesOf = ({ type }: Part): readonly string[] =>
  typeof type === 'string' ? [type] : listOf(type).filter((one) => typeof one === 'string')

/** A named schema by its constant; texts and everything else that is referred to is written out in place. */
const referenceCode = (schema: Part, context: SchemaContext, depth: number): string => {
  const { source, where, refer, asText, within = [] } = context
  const reference = schema.$ref as string
  const target = reference.startsWith('#') ? lookUp(source.root, reference) : undefined
  if (target === undefined) {
    source.notes.push({ where, what: `the reference ${reference} is not in the document: accepts anything` })
    return 'z.unknown()'
  }
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1]
  if (name !== undefined && !asText) {
    const { description: _, ...beside } = schema
    if (Object.keys(beside).length > 1) source.notes.push({ where, what: 'keywords beside a "$ref" are not checked' })
    return refer(decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  if (within.includes(reference)) {
    source.notes.push({ where, what: `${reference} contains itself: accepts anything here` })
    return 'z.unknown()'
  }
  return schemaCode(target, { ...context, within: [...within, reference] }, depth + 1)
}

const valueCode = (schema: Part, types: readonly string[], context: SchemaContext, depth: number): string => {
  const into = (inner: unknown): string => schemaCode(inner, context, depth + 1)
  const { anyOf, oneOf, allOf } = schema
  if ('const' in schema) return valuesCode([schema.const], context)
  if (Array.isArray(schema.enum))
    return valuesCode(
      schema.enum.filter((one) => one !== null || types.includes('null')),
      context,
    )
  const either = [...listOf(anyOf), ...listOf(oneOf)]
  if (listOf(oneOf).length > 1)
    context.source.notes.push({ where: context.where, what: '"oneOf" is checked as "anyOf"' })
  const { anyOf: _a, oneOf: _o, allOf: _l, ...own } = schema
  const parts = [
    ...(either.length ? [unionCode(either.map(into))] : []),
    ...listOf(allOf).map(into),
    ...(saysMore(own) || (!either.length && !listOf(allOf).length) ? [typedCode(own, types, context, depth)] : []),
  ]
  return parts.reduce((left, right) => block('z.intersection(', [left, right], ')'))
}

/** Does a schema ask anything beside its composition. */
const saysMore = (schema: Part): boolean =>
  [
    'properties',
    'required',
    'items',
    'prefixItems',
    'additionalProperties',
    'pattern',
    'format',
    'minimum',
    'maximum',
  ].some((keyword) => keyword in schema)

const unionCode = (options: readonly string[]): string => {
  const different = [...new Set(options)]
  return different.length === 1 ? different[0]! : block('z.union([', different, '])')
}

const typedCode = (schema: Part, types: readonly string[], context: SchemaContext, depth: number): string => {
  const known = (types.length ? types : guess(schema)).filter((type) => type !== 'null')
  if (!known.length) return types.includes('null') ? 'z.null()' : 'z.unknown()'
  return unionCode(known.map((type) => typeCode(type, schema, context, depth)))
}

/** The type that keywords are for, where a document leaves it out. */
const guess = (schema: Part): readonly string[] => {
  if ('properties' in schema || 'additionalProperties' in schema || 'required' in schema) return ['object']
  if ('items' in schema || 'prefixItems' in schema) return ['array']
  return 'pattern' in schema || 'minLength' in schema || 'maxLength' in schema ? ['string'] : []
}

const typeCode = (type: string, schema: Part, context: SchemaContext, depth: number): string => {
  const { asText, source, where } = context
  if (type === 'string') return stringCode(schema, context)
  if (type === 'number' || type === 'integer') return numberCode(type, schema, context)
  if (type === 'boolean')
    return asText ? `z.enum(['true', 'false']).transform((text) => text === 'true')` : 'z.boolean()'
  if (type === 'array') return arrayCode(schema, context, depth)
  if (type === 'object') return objectCode(schema, context, depth)
  source.notes.push({ where, what: `the type ${literal(type)} does not exist: accepts anything` })
  return 'z.unknown()'
}

const arrayCode = (schema: Part, context: SchemaContext, depth: number): string => {
  const into = (inner: unknown): string => schemaCode(inner, context, depth + 1)
  const { prefixItems, items, minItems, maxItems } = schema
  if (Array.isArray(prefixItems)) {
    const rest = items === false ? '' : `.rest(${into(items ?? {})})`
    return `${block('z.tuple([', prefixItems.map(into), '])')}${rest}`
  }
  const limits =
    (Number.isInteger(minItems) ? `.min(${minItems})` : '') + (Number.isInteger(maxItems) ? `.max(${maxItems})` : '')
  const { default: _, ...each } = partOf(items)
  const item = into(context.asText && isPart(items) ? each : (items ?? {}))
  const list = `z.array(${item})${limits}`
  // One value of a repeated field arrives alone
  return context.asText ? `z.union([${list}, ${item}.transform((one) => [one])])` : list
}

const objectCode = (schema: Part, context: SchemaContext, depth: number): string => {
  const into = (inner: unknown, key: string): string =>
    schemaCode(inner, { ...context, where: `${context.where}.${key}` }, depth + 1)
  const { properties, required, additionalProperties: more } = schema
  const needed = listOf(required).filter((key) => typeof key === 'string')
  const entries = Object.entries(partOf(properties))
  const missing = needed
    .filter((key) => !entries.some(([name]) => name === key))
    .map((key): [string, unknown] => [key, {}])
  if (!entries.length && !missing.length) {
    if (more === false) return 'z.strictObject({})'
    return `z.record(${isPart(more) ? into(more, '*') : 'z.unknown()'})`
  }
  const members = [...entries, ...missing].map(([key, inner]) => {
    const code = into(inner, key)
    const optional = needed.includes(key) ? '' : optionalCode(inner, code, context, depth)
    return `${keyOf(key)}: ${code}${optional}`
  })
  const shape = block('z.object({', members, '})')
  if (more === false) return `${shape}.strict()`
  if (more === true) return `${shape}.passthrough()`
  return isPart(more) ? `${shape}.catchall(${into(more, '*')})` : shape
}

/** What makes a member optional: nothing where its own default does. */
export const optionalCode = (schema: unknown, code: string, context: SchemaContext, depth = 0): string => {
  if (!isPart(schema) || schema.default === undefined) return '.optional()'
  const silent = { ...context, source: { ...context.source, notes: [] } }
  return code === schemaCode({ ...schema, default: undefined }, silent, depth + 1) ? '.optional()' : ''
}
