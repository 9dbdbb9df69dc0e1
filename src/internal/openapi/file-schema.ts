import type { Check } from '../z/definition.ts'
import type { JsonSchema } from '../z/json-schema-types.ts'

/** The description of a file in a form. JSON Schema can name one media type: of several, it names none. */
export const fileOf = (checks: readonly Check[] = []): JsonSchema => {
  const types = checks.find(({ kind }) => kind === 'mime')?.value as readonly string[] | undefined
  const [contentMediaType, ...others] = types ?? ['application/octet-stream']
  return { type: 'string', format: 'binary', ...(!others.length && { contentMediaType }) }
}

/** Types of the files for the test, because a schema may require one of them. */
const TYPES = ['', 'image/png', 'image/jpeg', 'application/pdf', 'text/plain', 'text/csv']

/** Whether a schema accepts only files. One like `instanceof(File)` is a function, so it is tested with values. */
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

/** Whether a JSON Schema contains a file in a place where a form can have one. */
export const holdsFile = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false
  const { format, contentEncoding, properties, items, anyOf, allOf, oneOf } = schema as Record<string, unknown>
  if (format === 'binary' || contentEncoding === 'binary') return true
  const lists = [properties && Object.values(properties), [items], anyOf, allOf, oneOf]
  return lists.some((list) => Array.isArray(list) && list.some(holdsFile))
}
