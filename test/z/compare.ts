import { isDeepStrictEqual } from 'node:util'
import { typeName } from '../../src/internal/z/report.ts'

/** Any plain data. */
export interface Loose {
  readonly [key: string]: unknown
}

/** Issues as plain data: without keys that are undefined, errors of unions as their issues. */
export const plainIssues = (issues: readonly object[]): unknown[] =>
  issues.map((issue) =>
    Object.fromEntries(
      Object.entries(issue)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, plainMember(issue, key, value)]),
    ),
  )

/** In the place of a literal zod 3 shows a whole object, and we its type: a small body must not become a huge message. */
const plainMember = (issue: { readonly code?: string }, key: string, value: unknown): unknown => {
  if (key === 'unionErrors') return (value as { issues: object[] }[]).map((error) => plainIssues(error.issues))
  return key === 'received' && issue.code === 'invalid_literal' && Object(value) === value ? typeName(value) : value
}

/** What a parse gave, or how it threw, as plain data. */
export const outcome = (schema: { safeParse: (value: unknown) => unknown }, value: unknown): Loose => {
  try {
    return plainResult(schema.safeParse(value))
  } catch (error) {
    return { thrown: (error as Error).constructor.name }
  }
}

export const plainResult = (result: unknown): Loose => {
  const { success, data, error } = result as { success: boolean; data?: unknown; error?: { issues: object[] } }
  return success ? { success, data } : { success, issues: plainIssues(error!.issues) }
}

export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b)

/** Is there a `null` anywhere in a value. */
export const hasNull = (value: unknown): boolean => {
  if (value === null) return true
  if (value instanceof Map || value instanceof Set) return hasNull([...value])
  return typeof value === 'object' && Object.values(value).some(hasNull)
}

/** Is there an own key `__proto__` anywhere in a value. */
const hasProtoKey = (value: unknown): boolean => {
  if (value instanceof Map || value instanceof Set) return hasProtoKey([...value])
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey)
}

/**
 * Where another behaviour than that of zod 3 is decided. V15: a date of `null` is refused. V20: a `__proto__` of the input
 * reaches no object that is made; zod 3 keeps it in an intersection, and a record whose keys are transformed to
 * `['__proto__']` gets it as its prototype. And no input makes a safe parse throw.
 */
export const isDecided = (schema: string, value: unknown, theirs: Loose): boolean =>
  'thrown' in theirs ||
  (schema.includes('coerce.date') && hasNull(value)) ||
  (/\.(?:and|transform)/.test(schema) && hasProtoKey(value))
