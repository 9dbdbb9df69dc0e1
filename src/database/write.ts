import type { InsertQueryBuilder, UpdateQueryBuilder } from 'kysely'
import { HttpError } from '../internal/http-error.ts'
import { type Database, useDatabase } from './connect.ts'
import { dialectOf } from './dialect.ts'
import { toHttpError } from './refusal.ts'
import { rowReader } from './row-reader.ts'
import { type Table, type TableSource, tableOf, toCells } from './table.ts'
import { toId } from './where.ts'

type Row = Readonly<Record<string, unknown>>

/** Insert the declared columns among the values, and those that the model sets itself. */
export const insertRow = async (source: TableSource, values: object, own: Row): Promise<Row> => {
  const { db, table, dialect } = open(source)
  const cells = { ...toCells(table, values, dialect), ...own }
  const isEmpty = Object.keys(cells).length === 0
  const insert = db.insertInto(table.name)
  const query: AnyInsert = isEmpty && dialect !== 'mysql' ? insert.defaultValues() : insert.values(cells)
  if (dialect !== 'mysql') return refusing(query.returning([...table.kinds.keys()]).executeTakeFirstOrThrow())
  // MySQL has no RETURNING.
  const { insertId } = await refusing(query.executeTakeFirstOrThrow())
  return readRow(db, table, insertId)
}

/** Update one row; without anything to write it is only read. */
export const updateRow = async (source: TableSource, id: unknown, values: object, own: Row): Promise<Row> => {
  const { db, table, dialect } = open(source)
  const cells = toCells(table, values, dialect)
  const isEmpty = Object.keys(cells).length === 0 && !('deletedAt' in own)
  if (isEmpty) return readRow(db, table, id)
  const query: AnyUpdate = db
    .updateTable(table.name)
    .set({ ...cells, ...own })
    .where('id', '=', toId(id))
  if (dialect !== 'mysql') {
    const row = await refusing(query.returning([...table.kinds.keys()]).executeTakeFirst())
    return row ?? gone(table)
  }
  await refusing(query.execute())
  return readRow(db, table, id)
}

/** Delete one row; that it is gone already is no error. */
export const deleteRow = async (source: TableSource, id: unknown): Promise<void> => {
  const { db, table } = open(source)
  await refusing(db.deleteFrom(table.name).where('id', '=', toId(id)).execute())
}

// any: Kysely's own word for tables that are not known
type AnyInsert = InsertQueryBuilder<any, any, any>
// any: Kysely's own word for tables that are not known
type AnyUpdate = UpdateQueryBuilder<any, any, any, any>

const open = (source: TableSource) => {
  const table = tableOf(source)
  const plain = useDatabase()
  const dialect = dialectOf(plain)
  return { table, dialect, db: plain.withPlugin(rowReader(table, dialect)) }
}

const readRow = async (db: Database, table: Table, id: unknown): Promise<Row> => {
  const columns = [...table.kinds.keys()]
  const row = await db.selectFrom(table.name).select(columns).where('id', '=', toId(id)).executeTakeFirst()
  return row ?? gone(table)
}

const gone = (table: Table): never => {
  throw new HttpError(404, `${table.model} not found`)
}

const refusing = <T>(query: Promise<T>): Promise<T> =>
  query.catch((error) => {
    throw toHttpError(error)
  })
