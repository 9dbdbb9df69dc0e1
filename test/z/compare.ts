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

/** Is there a value that passes a test anywhere in a value. */
const holds = (value: unknown, fits: (part: unknown) => boolean): boolean => {
  if (fits(value)) return true
  if (value instanceof Map || value instanceof Set) return holds([...value], fits)
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => holds(part, fits))
}

/** Is there a `null` anywhere in a value. */
const hasNull = (value: unknown): boolean => holds(value, (part) => part === null)

/** Is there an own key `__proto__` anywhere in a value. */
const hasProtoKey = (value: unknown): boolean =>
  holds(value, (part) => Object(part) === part && Object.hasOwn(part as object, '__proto__'))

/** Is there a number, or a text of one, with an exponent or with more digits than a double has. */
const hasLongNumber = (value: unknown): boolean =>
  holds(value, (part) => {
    const number = typeof part === 'number' || typeof part === 'string' ? Number(part) : 0
    return Math.abs(number) * 10 > Number.MAX_SAFE_INTEGER || `${number}`.includes('e')
  })

/**
 * Where another behaviour than that of zod 3 is decided. V15: a date of `null` is refused. NC8: a list, as of a repeated
 * value, is not converted to a number, and the message says that it is one. V20: a `__proto__` of the input
 * reaches no object that is made; zod 3 keeps it in an intersection, and a record whose keys are transformed to
 * `['__proto__']` gets it as its prototype. And no input makes a safe parse throw. `multipleOf` counts in exact decimals,
 * where zod 3 cuts off exponents and digits.
 */
export const isDecided = (schema: string, value: unknown, theirs: Loose): boolean =>
  'thrown' in theirs ||
  (schema.includes('coerce.date') && hasNull(value)) ||
  (schema.includes('coerce.number') && holds(value, Array.isArray)) ||
  (schema.includes('multipleOf') && hasLongNumber(value)) ||
  (/\.(?:and|transform)/.test(schema) && hasProtoKey(value))
