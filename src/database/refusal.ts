import { HttpError } from '../internal/http-error.ts'

/**
 * What a database refuses because of the data it was given, as the answer to who sent them: 409 where a value must be
 * unique, 422 where it is missing, too long, out of range, or refers to nothing. Everything else stays as it is.
 */
export const toHttpError = (error: unknown): unknown => {
  const { code = '', errno = 0, message: text = '' } = error as { code?: string; errno?: number; message?: string }
  const key = KINDS[code] ?? KINDS[errno] ?? KINDS[SQLITE_CONSTRAINT.exec(text)?.[1] ?? ''] ?? classOf(code)
  if (key === undefined) return error
  const [status, message] = ANSWERS[key]
  return new HttpError(status, message, { code: key, cause: error })
}

type Kind = 'not_unique' | 'missing_value' | 'invalid_reference' | 'check_failed' | 'invalid_value'

const ANSWERS: Readonly<Record<Kind, readonly [number, string]>> = {
  not_unique: [409, 'Already exists'],
  missing_value: [422, 'A required value is missing'],
  invalid_reference: [422, 'A reference does not exist, or is still in use'],
  check_failed: [422, 'A value is not allowed'],
  invalid_value: [422, 'A value does not fit its column'],
}

/** What SQLite says in every binding; not all of them give its result code. */
const SQLITE_CONSTRAINT = /\b(UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed/

/** SQLSTATE of PostgreSQL, error number of MySQL, the constraint of SQLite. */
const KINDS: Readonly<Record<string, Kind>> = {
  UNIQUE: 'not_unique',
  23505: 'not_unique',
  1062: 'not_unique',
  'NOT NULL': 'missing_value',
  23502: 'missing_value',
  1048: 'missing_value',
  1364: 'missing_value',
  'FOREIGN KEY': 'invalid_reference',
  23503: 'invalid_reference',
  1451: 'invalid_reference',
  1452: 'invalid_reference',
  CHECK: 'check_failed',
  23514: 'check_failed',
  3819: 'check_failed',
  4025: 'check_failed',
  1264: 'invalid_value',
  1292: 'invalid_value',
  1366: 'invalid_value',
  1406: 'invalid_value',
}

/** Class 22 of SQLSTATE is «data exception». */
const classOf = (code: string): Kind | undefined => (/^22[\dA-Z]{3}$/.test(code) ? 'invalid_value' : undefined)
