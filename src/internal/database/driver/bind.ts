import type { CompiledQuery } from 'kysely'
import type { DialectName } from '../url.ts'

/**
 * The query with its values as the database's driver expects them, so that the same value is stored on every database.
 *
 * A `Date` is written in UTC, `undefined` is NULL, and no object reaches mysql2, which would write `{ id: 1 }` as the
 * SQL `` `id` = 1 `` (node-mysql2 #1914).
 *
 * @throws {RangeError} if PostgreSQL cannot take so many.
 */
export const bindParameters = <R>(dialect: DialectName, query: CompiledQuery<R>): CompiledQuery<R> => {
  const { parameters } = query
  if (dialect === 'postgres' && parameters.length > MAX_PARAMETERS) {
    const message = `PostgreSQL: expected at most ${MAX_PARAMETERS} parameters in a statement, got ${parameters.length}`
    throw new RangeError(`${message}: send several statements`)
  }
  return { ...query, parameters: parameters.map(BINDERS[dialect]) }
}

/** The protocol of PostgreSQL counts parameters in 16 bits. Its driver would cut a larger number. */
const MAX_PARAMETERS = 65_535

const toSqlite = (value: unknown): unknown => {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return isPlainObject(value) ? JSON.stringify(value) : value
}

/**
 * The driver writes objects as JSON and lists as PostgreSQL arrays. It writes dates in local time, so they are
 * converted.
 */
const toPostgres = (value: unknown): unknown => {
  if (value === undefined) return null
  return value instanceof Date ? value.toISOString() : value
}

const toMysql = (value: unknown): unknown => {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`MySQL cannot store ${value}`)
  return isPlainObject(value) ? JSON.stringify(value) : value
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date)

const BINDERS: Readonly<Record<DialectName, (value: unknown) => unknown>> = {
  sqlite: toSqlite,
  postgres: toPostgres,
  mysql: toMysql,
}
