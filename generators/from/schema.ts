import { block, keyOf, literal } from './code.ts'
import { isPart, listOf, lookUp, type Part, partOf, textOf } from './document.ts'
import { arrayCode, saysMore } from './lists.ts'
import { numberCode, stringCode } from './scalars.ts'
import type { SchemaContext } from './schema-context.ts'
import { defaultCode, valuesCode } from './values.ts'

/** Deeper schemas accept anything. */
const MAX_DEPTH = 40

/** Keywords that `z` has no counterpart for. */
const UNSUPPORTED = [
  ...['not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties', 'contains'],
  ...['minContains', 'maxContains', 'uniqueItems', 'dependentRequired', 'dependentSchemas'],
  ...['$dynamicRef', 'contentEncoding', 'contentMediaType', 'readOnly', 'writeOnly'],
]

/** The code of a JSON Schema, as OpenAPI 3.0 and 3.1 have it. What it cannot express is noted. */
export const schemaCode = (schema: unknown, context: SchemaContext, depth = 0): string => {
  const { source, where } = context
  const note = (what: string): void => void source.notes.push({ where, what })
  if (schema === false) return 'z.never()'
  if (!isPart(schema) || depth > MAX_DEPTH) {
    if (depth > MAX_DEPTH) note('nested too deeply: accepts anything')
    return 'z.unknown()'
  }
  if (textOf(schema.$ref) !== undefined) return referenceCode(schema, context, depth)
  for (const keyword of UNSUPPORTED)
    if (schema[keyword] !== undefined && schema[keyword] !== false) note(`"${keyword}" is not checked`)
  for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'])
    if (schema[keyword] !== undefined && schema[keyword] !== true) note(`"${keyword}" is not checked`)
  if (schema.discriminator !== undefined) note('"discriminator" is left out')
  const { description, default: fill } = schema
  const types = typesOf(schema)
  const code = valueCode(schema, types, context, depth)
  const nullable =
    !code.startsWith('z.unknown') && (schema.nullable === true || (types.includes('null') && types.length > 1))
  const described = [
    code,
    nullable ? '.nullable()' : '',
    typeof description === 'string' && description.trim() ? `.describe(${literal(description.trim())})` : '',
  ].join('')
  const filled = fill === undefined || (fill === null && !nullable) ? '' : defaultCode(fill, schema, types, context)
  return `${schema.deprecated === true ? deprecatedCode(described) : described}${filled}`
}

/** Mark the schema of a value as deprecated. */
export const deprecatedCode = (code: string): string => `z.meta(${code}, { deprecated: true })`

export const typesOf = ({ type }: Part): readonly string[] =>
  typeof type === 'string' ? [type] : listOf(type).filter((name) => typeof name === 'string')

/** A named schema becomes its constant. Other targets, and those of texts in a request, are written in place. */
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
  const note = (what: string): void => void context.source.notes.push({ where: context.where, what })
  const composed = [...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)]
  if (composed.length && ('const' in schema || Array.isArray(schema.enum)))
    note('"anyOf", "oneOf" and "allOf" beside "enum" or "const" are not checked')
  if ('const' in schema) return valuesCode([schema.const], context)
  if (Array.isArray(schema.enum))
    return valuesCode(
      schema.enum.filter((member) => member !== null || types.includes('null')),
      context,
    )
  const either = [...listOf(anyOf), ...listOf(oneOf)]
  if (listOf(oneOf).length > 1) note('"oneOf" is checked as "anyOf"')
  const { anyOf: _a, oneOf: _o, allOf: _l, ...rest } = schema
  const parts = [
    ...(either.length ? [unionCode(either.map(into))] : []),
    ...listOf(allOf).map(into),
    ...(saysMore(rest) || (!either.length && !listOf(allOf).length) ? [typedCode(rest, types, context, depth)] : []),
  ]
  if (composed.length && types.length && !saysMore(rest))
    note('a "type" beside "anyOf", "oneOf" or "allOf" is not checked')
  return parts.reduce((left, right) => block('z.intersection(', [left, right], ')'))
}

const unionCode = (options: readonly string[]): string => {
  const different = [...new Set(options)]
  return different.length === 1 ? different[0]! : block('z.union([', different, '])')
}

const typedCode = (schema: Part, types: readonly string[], context: SchemaContext, depth: number): string => {
  const kinds = kindsOf(schema).filter((type) => type !== 'null')
  if (!kinds.length) return types.includes('null') ? 'z.null()' : 'z.unknown()'
  return unionCode(kinds.map((type) => typeCode(type, schema, context, depth)))
}

const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** The types of a schema. If the document leaves them out, the type that its keywords belong to. */
export const kindsOf = (schema: Part): readonly string[] => {
  const types = typesOf(schema)
  return types.length ? types : guess(schema)
}

const guess = (schema: Part): readonly string[] => {
  if ('properties' in schema || 'additionalProperties' in schema || 'required' in schema) return ['object']
  if ('items' in schema || 'prefixItems' in schema) return ['array']
  if (NUMERIC.some((keyword) => keyword in schema)) return ['number']
  return 'pattern' in schema || 'minLength' in schema || 'maxLength' in schema ? ['string'] : []
}

const typeCode = (type: string, schema: Part, context: SchemaContext, depth: number): string => {
  const { asText, source, where } = context
  if (type === 'string') return stringCode(schema, context)
  if (type === 'number' || type === 'integer') return numberCode(type, schema, context)
  if (type === 'boolean')
    return asText ? `z.enum(['true', 'false']).transform((text) => text === 'true')` : 'z.boolean()'
  if (type === 'array') return arrayCode(schema, context, (inner) => schemaCode(inner, context, depth + 1))
  if (type === 'object') return objectCode(schema, context, depth)
  source.notes.push({ where, what: `the type ${literal(type)} does not exist: accepts anything` })
  return 'z.unknown()'
}

const objectCode = (schema: Part, context: SchemaContext, depth: number): string => {
  const { asText, isField, where, source } = context
  if (isField) {
    source.notes.push({ where, what: 'an object in a form is not checked: it arrives as a string' })
    return 'z.unknown()'
  }
  const into = (inner: unknown, key: string): string =>
    schemaCode(inner, { ...context, where: `${where}.${key}`, isField: asText }, depth + 1)
  const { properties, required, patternProperties, additionalProperties: others } = schema
  // Keys of a pattern would be refused or dropped
  const more = patternProperties === undefined ? others : true
  if (patternProperties !== undefined && (others ?? true) !== true)
    source.notes.push({ where, what: '"additionalProperties" beside "patternProperties" is not checked' })
  const entries = Object.entries(partOf(properties))
  // "required" of what only the server writes is for responses (OpenAPI 3.1 §4.8.24.3)
  const isReadOnly = (key: string): boolean => partOf(partOf(properties)[key]).readOnly === true
  const needed = listOf(required)
    .filter((key) => typeof key === 'string')
    .filter((key) => !isReadOnly(key))
  const missing = needed
    .filter((key) => !entries.some(([name]) => name === key))
    .map((key): [string, unknown] => [key, {}])
  if (!entries.length && !missing.length) {
    if (more === false) return 'z.strictObject({})'
    return `z.record(${isPart(more) ? into(more, '*') : 'z.unknown()'})`
  }
  const members = [...entries, ...missing].map(([key, inner]) => {
    const schemaText = into(inner, key)
    // A key that may hold anything would be optional
    const needsValue = /^z\.unknown\(\)($|\.describe\()/.test(schemaText) && needed.includes(key)
    const code = needsValue ? `${schemaText}.refine((value) => value !== undefined, 'Required')` : schemaText
    const optional = needed.includes(key) ? '' : optionalCode(inner, code, context, depth)
    return `${keyOf(key)}: ${code}${optional}`
  })
  const shape = block('z.object({', members, '})')
  if (more === false) return `${shape}.strict()`
  if (more === true) return `${shape}.passthrough()`
  return isPart(more) ? `z.catchall(${shape}, ${into(more, '*')})` : shape
}

/** The code that makes a member optional: none if the member has a default, which makes it optional already. */
export const optionalCode = (schema: unknown, code: string, context: SchemaContext, depth = 0): string => {
  if (!isPart(schema) || schema.default === undefined) return '.optional()'
  const silent = { ...context, source: { ...context.source, notes: [] } }
  return code === schemaCode({ ...schema, default: undefined }, silent, depth + 1) ? '.optional()' : ''
}
