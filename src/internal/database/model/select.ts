import type { SelectQueryBuilder } from 'kysely'
import { refusal } from '../../error/refusal.ts'
import { useDatabase } from '../ambient.ts'
import { dialectOf, type Tables } from '../dialect.ts'
import { isObject } from '../property.ts'
import { throwQueryError } from './query-error.ts'
import type { ModelClass } from './record.ts'
import { readRows, rowReader, tableOf } from './table.ts'
import { toCondition } from './where.ts'

/** Which records are included: those that are not deleted, all, or only deleted ones. */
export type Trashed = 'without' | 'with' | 'only'

/** A search, without the types of the model. */
export interface Search {
  readonly where?: object | undefined
  readonly orderBy?: object | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly trashed?: Trashed
  readonly lock?: true | 'skip' | undefined
}

export type AnyQuery = SelectQueryBuilder<Tables, Tables, Record<string, unknown>>

/** The rows of a query, with their cells as model values. */
export const rowsOf = (source: ModelClass, query: AnyQuery): Promise<Record<string, unknown>[]> => {
  const table = tableOf(source)
  const dialect = dialectOf(useDatabase())
  // One promise instead of an async function: a short search spends most of its time on promises
  return query.execute().then(
    (rows) => readRows(table, rows, dialect),
    (error) => throwQueryError(table, error),
  )
}

export const limitQuery = (source: ModelClass, all: AnyQuery, { orderBy, limit, offset }: Search): AnyQuery => {
  if (limit !== undefined) assertCount('limit', limit, 0)
  if (offset !== undefined) assertCount('offset', offset, 0)
  let query = orderQuery(source, all, orderBy)
  // MySQL and SQLite do not support an offset without a limit
  if (limit !== undefined || offset !== undefined) query = query.limit(limit ?? Number.MAX_SAFE_INTEGER)
  if (offset !== undefined) query = query.offset(offset)
  return query
}

/** A query that callers extend. A plugin converts its rows. */
export const publicQuery = (source: ModelClass, trashed: Trashed): AnyQuery =>
  baseQuery(source, trashed).withPlugin(rowReader(tableOf(source), dialectOf(useDatabase())))

/** The declared columns of the rows that match, in no order. */
export const baseQuery = (source: ModelClass, trashed: Trashed, where?: object): AnyQuery => {
  const db = useDatabase()
  const table = tableOf(source)
  const dialect = dialectOf(db)
  const all: AnyQuery = db.selectFrom(table.name).select(table.columns)
  const query = where === undefined ? all : all.where((builder) => toCondition(table, where, dialect, builder))
  if (!table.softDelete || trashed === 'with') return query
  return query.where(`${table.name}.deletedAt`, trashed === 'only' ? 'is not' : 'is', null)
}

/** Orders the query; by id if `orderBy` has no column. */
export const orderQuery = (source: ModelClass, query: AnyQuery, orderBy: object = {}): AnyQuery => {
  const { name, kinds, model } = tableOf(source)
  if (!isObject(orderBy))
    throw new TypeError(`orderBy: expected an object of columns and directions, got ${JSON.stringify(orderBy)}`)
  const entries = Object.entries<unknown>({ ...orderBy })
  if (entries.length === 0) return query.orderBy(`${name}.id`, 'asc')
  return entries.reduce((all, [column, direction]) => {
    if (!kinds.has(column)) throw new TypeError(`orderBy: ${model} has no column '${column}'`)
    if (direction !== 'asc' && direction !== 'desc') {
      throw new TypeError(`orderBy.${column}: expected 'asc' or 'desc', got ${String(direction)}`)
    }
    return all.orderBy(`${name}.${column}`, direction)
  }, query)
}

/** @throws {HttpError} 400, because a client may have sent the number. */
export const assertCount = (name: string, value: number, min: number): void => {
  if (!Number.isSafeInteger(value) || value < min)
    throw refusal(400, `${name}: expected a whole number of at least ${min}, got ${value}`, { code: 'invalid_number' })
}
