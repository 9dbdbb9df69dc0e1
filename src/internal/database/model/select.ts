import type { SelectQueryBuilder } from 'kysely'
import { type Database, type Tables, useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import type { ModelClass } from './record.ts'
import { refusing } from './refusal.ts'
import { rowReader } from './row-reader.ts'
import { tableOf } from './table.ts'
import { toCondition } from './where.ts'

/** Which records are included: those that are not deleted, all, or only deleted ones. */
export type Trashed = 'without' | 'with' | 'only'

/** A search whose columns and values are not known to the compiler. */
export interface Search {
  readonly where?: object | undefined
  readonly orderBy?: object | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

// any: Kysely's own word for tables that are not known
export type AnyQuery = SelectQueryBuilder<Tables, Tables, Record<string, unknown>>

type Row = Readonly<Record<string, unknown>>

/** The rows that match, in the given order. */
export const selectRows = (source: ModelClass, trashed: Trashed, search: Search): Promise<Row[]> => {
  const { where, orderBy, limit, offset } = search
  assertCount('limit', limit)
  assertCount('offset', offset)
  let query = ordered(source, baseQuery(source, trashed, where), orderBy)
  // MySQL and SQLite do not support an offset without a limit.
  if (limit !== undefined || offset !== undefined) query = query.limit(limit ?? Number.MAX_SAFE_INTEGER)
  if (offset !== undefined) query = query.offset(offset)
  return refusing(tableOf(source), query.execute())
}

/** How many rows match. */
export const countRows = async (source: ModelClass, trashed: Trashed, where?: object): Promise<number> => {
  const query = baseQuery(source, trashed, where)
    .clearSelect()
    .select((builder) => builder.fn.countAll<number | string>().as('total'))
  const { total } = await refusing(tableOf(source), query.executeTakeFirstOrThrow())
  return Number(total)
}

/** The declared columns of the rows that match, in no order. */
export const baseQuery = (source: ModelClass, trashed: Trashed, where?: object): AnyQuery => {
  const db: Database = useDatabase()
  const table = tableOf(source)
  const dialect = dialectOf(db)
  const columns = [...table.kinds.keys()].map((column) => `${table.name}.${column}`)
  const all: AnyQuery = db.withPlugin(rowReader(table, dialect)).selectFrom(table.name).select(columns)
  const query = where === undefined ? all : all.where((builder) => toCondition(table, where, dialect, builder))
  if (!table.softDelete || trashed === 'with') return query
  return query.where(`${table.name}.deletedAt`, trashed === 'only' ? 'is not' : 'is', null)
}

const ordered = (source: ModelClass, query: AnyQuery, orderBy: object = {}): AnyQuery => {
  const { name, kinds, model } = tableOf(source)
  if (typeof orderBy !== 'object' || orderBy === null || Array.isArray(orderBy)) {
    throw new TypeError(`orderBy: expected an object of columns and directions, got ${JSON.stringify(orderBy)}`)
  }
  const wanted = Object.entries<unknown>({ ...orderBy })
  if (wanted.length === 0) return query.orderBy(`${name}.id`, 'asc')
  return wanted.reduce((all, [column, direction]) => {
    if (!kinds.has(column)) throw new TypeError(`orderBy: ${model} has no column '${column}'`)
    if (direction !== 'asc' && direction !== 'desc') {
      throw new TypeError(`orderBy.${column}: expected 'asc' or 'desc', got ${String(direction)}`)
    }
    return all.orderBy(`${name}.${column}`, direction)
  }, query)
}

const assertCount = (name: string, value: number | undefined): void => {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 0)) {
    throw new RangeError(`${name}: expected a whole number of at least 0, got ${value}`)
  }
}
