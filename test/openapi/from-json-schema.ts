import fc from 'fast-check'

/** A JSON Schema, as far as documents of the tests have it. any: looked into freely */
export type Json = any

/** Random values that a JSON Schema allows. */
export const valuesOf = (schema: Json, defs: Record<string, Json>, depth = 0): fc.Arbitrary<unknown> => {
  const into = (inner: Json): fc.Arbitrary<unknown> => valuesOf(inner, defs, depth + 1)
  if (schema.$ref) return into(defs[schema.$ref.split('/').at(-1)])
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.slice(0, depth > 3 ? 1 : 9).map(into))
  if (schema.allOf) return fc.tuple(...schema.allOf.map(into)).map((parts) => Object.assign({}, ...(parts as object[])))
  switch (schema.type) {
    case 'string':
      return stringsOf(schema)
    case 'integer':
      return fc.integer(boundsOf(schema, 1))
    case 'number':
      return fc.integer(boundsOf(schema, 1)).map((whole) => whole)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = minItems + 3, items } = schema
      return fc.array(into(items ?? {}), {
        minLength: minItems,
        maxLength: Math.max(minItems, depth > 3 ? 0 : maxItems),
      })
    }
    case 'object': {
      const { properties = {}, required = [], additionalProperties } = schema
      if (!Object.keys(properties).length && additionalProperties)
        return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), into(additionalProperties), { maxKeys: 3 })
      const present = Object.entries(properties).filter(([key]) => depth < 3 || required.includes(key))
      const model = Object.fromEntries(present.map(([key, inner]) => [key, into(inner)]))
      return fc.record(model, { requiredKeys: required }).map((record) => ({ ...record }))
    }
    default:
      return fc.constant('anything')
  }
}

const boundsOf = (schema: Json, step: number): { min: number; max: number } => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const min = exclusiveMinimum === undefined ? (minimum ?? -1000) : exclusiveMinimum + step
  const max = exclusiveMaximum === undefined ? (maximum ?? Math.max(1000, min)) : exclusiveMaximum - step
  return { min: Math.ceil(min), max: Math.floor(max) }
}

const stringsOf = ({ minLength = 0, maxLength = minLength + 8, pattern, format }: Json): fc.Arbitrary<string> => {
  if (format === 'binary') return fc.constant('a file')
  if (format === 'date-time') return fc.constant('2026-11-22T01:02:03Z')
  if (format) return fc.constant({ uri: 'https://a.example/x', date: '2026-11-22' }[format as string] ?? 'x')
  // Letters and digits: what every part of a request can carry as it is, so that only the schema decides
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((text) => /^[\w.@-]+$/.test(text))
  return fc.stringMatching(new RegExp(`^[a-z0-9]{${Math.max(1, minLength)},${Math.max(1, maxLength)}}$`))
}

/** Values that a schema of a field does not allow, out of texts alone or of anything. None if everything is allowed. */
export const breaksOf = (schema: Json, defs: Record<string, Json>, textsOnly: boolean): unknown[] => {
  if (schema.$ref) return breaksOf(defs[schema.$ref.split('/').at(-1)], defs, textsOnly)
  const others = textsOnly ? [] : [{ wrong: true }]
  if (schema.enum || 'const' in schema) return ['no such value', ...others]
  if (schema.anyOf) {
    const [first = [], ...rest] = schema.anyOf.map((one: Json) => breaksOf(one, defs, textsOnly))
    return first.filter((value: unknown) => rest.every((list: unknown[]) => list.includes(value)))
  }
  switch (schema.type) {
    case 'string':
      return [
        ...(schema.maxLength === undefined || schema.pattern || schema.format
          ? []
          : ['x'.repeat(schema.maxLength + 1)]),
        ...(schema.minLength > 1 ? ['x'] : []),
        ...(schema.pattern ? ['!'] : []),
        ...(textsOnly ? [] : [17]),
        ...others,
      ]
    case 'integer':
    case 'number':
      return [
        'no number',
        ...(schema.maximum === undefined ? [] : [textsOnly ? `${schema.maximum + 1}` : schema.maximum + 1]),
        ...others,
      ]
    case 'boolean':
    case 'array':
      return textsOnly ? [] : ['neither', ...others]
    case 'object':
      return textsOnly ? [] : ['no object', 17]
    default:
      return []
  }
}
