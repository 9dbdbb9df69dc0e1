import { isDeepStrictEqual } from 'node:util'

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
        .map(([key, value]) => [
          key,
          key === 'unionErrors' ? (value as { issues: object[] }[]).map((error) => plainIssues(error.issues)) : value,
        ]),
    ),
  )

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

/** Where another behaviour than that of zod 3 is decided: V15, a date of `null` is refused; and no input makes a safe parse throw. */
export const isDecided = (schema: string, value: unknown, theirs: Loose): boolean =>
  'thrown' in theirs || (schema.includes('coerce.date') && hasNull(value))
