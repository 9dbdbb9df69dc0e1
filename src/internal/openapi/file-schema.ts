import type { JsonSchema } from '../z/json-schema-types.ts'

/** How a document says that a part of a form is a file. */
export const FILE: JsonSchema = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
}

/** Types of the files that are tried, since a schema may ask for one of them. */
const TYPES = ['', 'image/png', 'image/jpeg', 'application/pdf', 'text/plain', 'text/csv']

/**
 * Does a schema accept files and nothing else. A schema that is a function, such as `instanceof(File)`, cannot say it, so
 * it is asked.
 */
export const acceptsFiles = (schema: unknown): boolean => {
  const { safeParse } = schema as { safeParse?: unknown }
  if (typeof safeParse !== 'function' || typeof File !== 'function') return false
  const takes = (value: unknown): boolean => {
    try {
      return (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(value).success
    } catch {
      return false
    }
  }
  if (['x', '', 0, true, null, {}].some(takes)) return false
  return TYPES.some((type) => takes(new File(['x'], 'x', { type })))
}

/** Does a JSON Schema hold a file anywhere that a form can hold one. */
export const holdsFile = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false
  const { format, contentEncoding, properties, items, anyOf, allOf, oneOf } = schema as Record<string, unknown>
  if (format === 'binary' || contentEncoding === 'binary') return true
  const lists = [properties && Object.values(properties), [items], anyOf, allOf, oneOf]
  return lists.some((list) => Array.isArray(list) && list.some(holdsFile))
}
