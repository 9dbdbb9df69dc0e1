import { type HttpErrorBase, refusal } from '../../error/refusal.ts'
import { kindOf, type RefusalKind, toDatabaseError } from '../error/database-error.ts'
import { textOf } from '../property.ts'
import type { Table } from './table.ts'

/** Throws an `HttpError` for a failure that the data caused, and a `DatabaseError` for one of the database itself. */
export const withHttpErrors = <T>(table: Table, query: Promise<T>): Promise<T> =>
  query.catch((error) => throwQueryError(table, error))

export const throwQueryError = (table: Table, error: unknown): never => {
  throw toHttpError(table, error) ?? toDatabaseError(error)
}

const toHttpError = (table: Table, error: unknown): HttpErrorBase | undefined => {
  const kind = kindOf(error)
  if (!isRefusal(kind)) return undefined
  const [status, general, ofColumn] = RESPONSES[kind]
  const columns = columnsOf(table, error)
  const message = columns.length > 0 && ofColumn !== undefined ? `${columns.join(', ')}: ${ofColumn}` : general
  return refusal(status, message, { code: kind, cause: error })
}

const isRefusal = (kind: string | undefined): kind is RefusalKind =>
  kind !== undefined && Object.hasOwn(RESPONSES, kind)

/** Status, the message if the column is unknown, and the message for a column. */
const RESPONSES: Readonly<Record<RefusalKind, readonly [number, string, string?]>> = {
  not_unique: [409, 'Already exists', 'already exists'],
  missing_value: [422, 'A required value is missing', 'a value is required'],
  invalid_reference: [422, 'A reference does not exist, or is still in use', 'refers to nothing'],
  check_failed: [422, 'A value is not allowed'],
  invalid_value: [422, 'A value does not fit its column', 'does not fit its column'],
}

/**
 * The assignable columns that the database names, as the model calls them. PostgreSQL has them in `column` or in a
 * `detail` such as `Key (email)=(a@b.example) already exists.`, the others in the message. Values are never read.
 */
const columnsOf = (table: Table, error: unknown): string[] => {
  const [message, column, detail] = [textOf(error, 'message'), textOf(error, 'column'), textOf(error, 'detail')]
  const place =
    (column || /^Key \(([^()]+)\)=/.exec(detail)?.[1]) ?? PLACES.map((place) => place.exec(message)?.[1]).find(Boolean)
  const names = new Set((place ?? '').split(',').map(normalize))
  const named = [...table.assignable].filter((name) => names.has(normalize(name)))
  return named.length > 0 ? named : columnsOfKey(table, place ?? '')
}

const normalize = (name: string): string => name.replaceAll(/[_"`]/g, '').replace(/^.*\./, '').trim().toLowerCase()

/**
 * The columns of a key named as generated migrations do, `posts_owner_id_slug_unique`: MySQL names only the key. None
 * if the name may mean several lists of columns.
 */
const columnsOfKey = ({ name: table, assignable }: Table, key: string): string[] => {
  if (!key.startsWith(`${table}_`) || !key.endsWith('_unique')) return []
  const listsOf = (name: string): string[][] =>
    name === ''
      ? [[]]
      : [...assignable].flatMap((column) => {
          const start = normalize(column)
          return start && name.startsWith(start)
            ? listsOf(name.slice(start.length)).map((list) => [column, ...list])
            : []
        })
  const [columns, ...others] = listsOf(normalize(key.slice(table.length, -'_unique'.length)))
  return columns && others.length === 0 ? columns : []
}

/** Where the messages of SQLite and MySQL name columns. Client input may come before, so only the end is read. */
const PLACES: readonly RegExp[] = [
  /constraint failed: ([\w., ]+)$/,
  /^(?:Column|Field) '(\w+)' /,
  /for key '(?:\w+\.)?(\w+)'$/,
  /for column '?([\w`.]+)'? at row \d+$/,
  /FOREIGN KEY \(([\w`, ]+)\) REFERENCES `\w+` \([\w`, ]+\)[^()]*\)$/,
]
