import { type ApiDocument, isPart, listOf, lookUp, type Part, partOf } from './document.ts'
import { flagsOf } from './scalars.ts'
import { kindsOf } from './schema.ts'

/** Stands for a sample of a schema for which no accepted value is known. */
export const NOTHING: unique symbol = Symbol('nothing')

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  uri: 'https://example.com',
  url: 'https://example.com',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

/** Short texts, one of which fits most patterns. */
const TRIES = 'a abc A ABC 1 123 a1 abc-123 a_b /a #ffffff abcdef0123456789 2026-01-01 1.0.0 +15550100 a@b.co'.split(
  ' ',
)

/** A value that a schema accepts, with only the required members. NOTHING if no value is certain to be accepted. */
export const sampleOf = (schema: unknown, source: ApiDocument, depth = 0): unknown => {
  if (depth > 12 || schema === false) return NOTHING
  if (!isPart(schema)) return 'anything'
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref.startsWith('#') ? lookUp(source.root, schema.$ref) : undefined
    return target === undefined ? 'anything' : sampleOf(target, source, depth + 1)
  }
  const into = (inner: unknown): unknown => sampleOf(inner, source, depth + 1)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.find((member) => member !== null) ?? null
  const { anyOf, oneOf, allOf, ...rest } = schema
  /** A part may require properties that are declared beside it. */
  const beside = (part: unknown): unknown =>
    isPart(part) && 'required' in part
      ? { ...part, properties: { ...partOf(rest.properties), ...partOf(part.properties) } }
      : part
  const either = [...listOf(anyOf), ...listOf(oneOf)].map(beside)
  const parts = [
    ...(kindsOf(rest).length ? [typed(rest, into)] : []),
    ...(either.length ? [firstOf(either.map(into))] : []),
    ...listOf(allOf).map(beside).map(into),
  ]
  if (parts.includes(NOTHING)) return NOTHING
  if (parts.length < 2) return parts[0] ?? 'anything'
  return parts.every(isPart) ? Object.assign({}, ...parts) : NOTHING
}

const firstOf = (values: readonly unknown[]): unknown => values.find((value) => value !== NOTHING) ?? NOTHING

const typed = (schema: Part, into: (inner: unknown) => unknown): unknown => {
  const type = kindsOf(schema).find((kind) => kind !== 'null') ?? 'null'
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'string') return textSample(schema)
  if (type === 'array') return listSample(schema, into)
  if (type === 'object') return objectSample(schema, into)
  return type === 'number' || type === 'integer' ? numberSample(schema) : 'anything'
}

const textSample = ({ format, pattern, minLength, maxLength }: Part): unknown => {
  const min = Number(minLength ?? 0)
  const max = Number(maxLength ?? Number.POSITIVE_INFINITY)
  const usual = typeof format === 'string' ? TEXTS[format] : undefined
  const tries = usual === undefined ? [...TRIES.map((text) => text.padEnd(min, text)), 'a'.repeat(min)] : [usual]
  const fits = tries.filter((text) => text.length >= min && text.length <= max)
  const flagsOrReason = typeof pattern === 'string' ? flagsOf(pattern) : undefined
  // A pattern that the validator leaves out is never run
  if (!flagsOrReason || 'reason' in flagsOrReason) return fits[0] ?? NOTHING
  const test = new RegExp(pattern as string, flagsOrReason.flags)
  return fits.find((text) => test.test(text)) ?? NOTHING
}

/** One of the multiples next to the limits, or a fraction between them. */
const numberSample = (schema: Part): unknown => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const isInteger = kindsOf(schema).includes('integer')
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((limit) => typeof limit === 'number')
  const multiples = [step, ...limits].flatMap((bound) =>
    [0, 1, -1].map((more) => (Math.ceil(bound / step) + more) * step),
  )
  const between = multipleOf === undefined ? [limits.reduce((sum, limit) => sum + limit, 0) / limits.length] : []
  const value = [...multiples, ...between].find(
    (candidate) =>
      (!isInteger || Number.isInteger(candidate)) &&
      // No number is above or below an absent limit. In OpenAPI 3.0, an exclusive limit is a flag of the other one
      !(candidate < toLimit(minimum) || candidate <= toLimit(exclusiveMinimum === true ? minimum : exclusiveMinimum)) &&
      !(candidate > toLimit(maximum) || candidate >= toLimit(exclusiveMaximum === true ? maximum : exclusiveMaximum)),
  )
  return value ?? NOTHING
}

const toLimit = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

const listSample = ({ items, prefixItems, minItems }: Part, into: (inner: unknown) => unknown): unknown => {
  const count = Array.isArray(prefixItems) ? 0 : Number(minItems ?? 0)
  if (count > 20) return NOTHING
  const first = listOf(prefixItems).map(into)
  const list = [...first, ...Array.from({ length: count }, () => into(items ?? {}))]
  return list.includes(NOTHING) ? NOTHING : list
}

const objectSample = ({ properties, required }: Part, into: (inner: unknown) => unknown): unknown => {
  const schemas = partOf(properties)
  const keys = listOf(required).filter((key) => typeof key === 'string')
  const entries = keys.map((key): [string, unknown] => [key, into(schemas[key] ?? {})])
  return entries.some(([, value]) => value === NOTHING) ? NOTHING : Object.fromEntries(entries)
}
