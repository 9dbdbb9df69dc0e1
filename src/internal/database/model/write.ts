import { type Database, useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { propertyOf } from '../property.ts'
import type { DialectName } from '../url.ts'
import { toColumn } from './columns.ts'
import { toId } from './id.ts'
import { refusing } from './refusal.ts'
import { Refused } from './refused.ts'
import { rowReader } from './row-reader.ts'
import { type Table, type TableSource, tableOf, toCells } from './table.ts'

/** A row with its cells as model values. */
export type Row = Readonly<Record<string, unknown>>

/** The part of a record that belongs to its row. */
export interface RowKey {
  readonly id: unknown
  /** The version that the record was read with, if its model has versions. */
  readonly version?: unknown
}

/** Insert the declared columns among the values, and those that the model sets itself. */
export const insertRow = async (source: TableSource, values: object, own: Row): Promise<Row> => {
  const { db, table, dialect } = open(source)
  const cells = { ...toCells(table, values, dialect), ...(table.version && { version: 1 }), ...own }
  const isEmpty = Object.keys(cells).length === 0
  const insert = db.insertInto(table.name)
  const query = isEmpty && dialect !== 'mysql' ? insert.defaultValues() : insert.values(cells)
  if (dialect !== 'mysql') return refusing(table, query.returning([...table.kinds.keys()]).executeTakeFirstOrThrow())
  // MySQL has no RETURNING.
  const { insertId } = await refusing(table, query.executeTakeFirstOrThrow())
  return readRow(db, table, insertId)
}

/** Update one row; if there is nothing to write, only read it. */
export const updateRow = async (source: TableSource, key: RowKey, values: object, own: Row): Promise<Row> => {
  const { db, table, dialect } = open(source)
  const cells = toCells(table, values, dialect)
  const version = table.version ? expectedVersion(key, values, dialect) : undefined
  const isEmpty = Object.keys(cells).length === 0 && !('deletedAt' in own)
  if (isEmpty) return sameVersion(table, await readRow(db, table, key.id), version)
  const update = db
    .updateTable(table.name)
    .set({ ...cells, ...own, ...(version !== undefined && { version: version + 1 }) })
    .where('id', '=', toId(key.id))
  const query = version === undefined ? update : update.where('version', '=', version)
  if (dialect !== 'mysql') {
    const row = await refusing(table, query.returning([...table.kinds.keys()]).executeTakeFirst())
    return row ?? sameVersion(table, await readRow(db, table, key.id), version)
  }
  const { numUpdatedRows } = await refusing(table, query.executeTakeFirstOrThrow())
  const row = await readRow(db, table, key.id)
  return numUpdatedRows > 0n ? row : sameVersion(table, row, version)
}

/** Delete one row; it is not an error if it no longer exists. */
export const deleteRow = async (source: TableSource, key: RowKey): Promise<void> => {
  const { db, table, dialect } = open(source)
  const all = db.deleteFrom(table.name).where('id', '=', toId(key.id))
  if (!table.version) return void (await refusing(table, all.execute()))
  const version = expectedVersion(key, {}, dialect)
  const { numDeletedRows } = await refusing(table, all.where('version', '=', version).executeTakeFirstOrThrow())
  if (numDeletedRows === 0n && (await findRow(db, table, key.id))) throw changed(table)
}

const open = (source: TableSource): { db: Database; table: Table; dialect: DialectName } => {
  const table = tableOf(source)
  const plain = useDatabase()
  const dialect = dialectOf(plain)
  return { table, dialect, db: plain.withPlugin(rowReader(table, dialect)) }
}

const readRow = async (db: Database, table: Table, id: unknown): Promise<Row> => {
  const row = await findRow(db, table, id)
  if (row === undefined) throw new Refused(404, `${table.model} not found`)
  return row
}

const findRow = (db: Database, table: Table, id: unknown): Promise<Row | undefined> => {
  const columns = [...table.kinds.keys()]
  return refusing(table, db.selectFrom(table.name).select(columns).where('id', '=', toId(id)).executeTakeFirst())
}

/** The version that the row must have: the one among the values, which a client has seen, else that of the record. */
const expectedVersion = (key: RowKey, values: object, dialect: DialectName): number => {
  const seen = propertyOf(values, 'version')
  const version = seen === undefined ? key.version : seen
  const expected = toColumn('version', 'number', version ?? '', dialect)
  if (typeof expected === 'number' && Number.isSafeInteger(expected)) return expected
  throw new Refused(422, 'version: expected a whole number', 'invalid_column')
}

/** The row, if it was not changed since the version that was expected. */
const sameVersion = (table: Table, row: Row, version: number | undefined): Row => {
  if (version !== undefined && row.version !== version) throw changed(table)
  return row
}

const changed = (table: Table): Refused =>
  new Refused(409, `${table.model} was changed meanwhile: read it again`, 'version_conflict')
