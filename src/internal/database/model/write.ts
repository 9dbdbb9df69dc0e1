import { type HttpErrorBase, refusal } from '../../error/refusal.ts'
import { isInTransaction, useDatabase } from '../ambient.ts'
import { type QueriedModel, withDefaults } from '../define/field.ts'
import { type Database, type DialectName, dialectOf } from '../dialect.ts'
import { propertyOf } from '../property.ts'
import { toColumn } from './columns.ts'
import { toId } from './id.ts'
import { withHttpErrors } from './query-error.ts'
import type { ModelClass } from './record.ts'
import { rowReader, type Table, tableOf, toCells } from './table.ts'

export type Row = Readonly<Record<string, unknown>>

/** Identifies a row, and the version of it that the record was read with. */
export interface RowKey {
  readonly id: unknown
  readonly version?: unknown
}

export const timeOf = (model: ModelClass): Date => model.now?.() ?? new Date()

/** The columns that each change sets. */
export const stamp = (model: ModelClass): Row => (tableOf(model).timestamps ? { updatedAt: timeOf(model) } : {})

/** The cells of a new row: the declared columns among the values, defaults, and what the model sets itself. */
export const newCells = (model: QueriedModel, values: object): Record<string, unknown> => {
  const table = tableOf(model)
  const now = timeOf(model)
  return {
    ...toCells(table, withDefaults(model, values), dialectOf(useDatabase())),
    ...(table.version && { version: 1 }),
    ...(table.timestamps && { createdAt: now, updatedAt: now }),
  }
}

export const insertRow = async (model: ModelClass, values: object): Promise<Row> => {
  const { db, table, dialect } = openTable(model)
  const cells = newCells(model, values)
  const insert = db.insertInto(table.name)
  if (dialect === 'mysql') {
    // MySQL has no RETURNING
    const { insertId } = await withHttpErrors(table, insert.values(cells).executeTakeFirstOrThrow())
    return readRow(db, table, insertId)
  }
  const query = Object.keys(cells).length === 0 ? insert.defaultValues() : insert.values(cells)
  return withHttpErrors(table, query.returning([...table.kinds.keys()]).executeTakeFirstOrThrow())
}

/** @param deletedAt set by a soft delete, null to restore the row */
export const updateRow = async (
  model: ModelClass,
  key: RowKey,
  values: object,
  deletedAt?: Date | null,
): Promise<Row> => {
  const { db, table, dialect } = openTable(model)
  const cells = toCells(table, values, dialect)
  const version = table.version ? expectedVersion(key, values, dialect) : undefined
  if (deletedAt === undefined && Object.keys(cells).length === 0) return readRow(db, table, key.id, version)
  const changes = deletedAt === undefined ? { ...cells, ...stamp(model) } : { deletedAt }
  const update = db
    .updateTable(table.name)
    .set({ ...changes, ...(version !== undefined && { version: version + 1 }) })
    .where('id', '=', toId(key.id))
  const query = version === undefined ? update : update.where('version', '=', version)
  if (dialect !== 'mysql') {
    const row = await withHttpErrors(table, query.returning([...table.kinds.keys()]).executeTakeFirst())
    return row ?? readRow(db, table, key.id, version)
  }
  const { numUpdatedRows } = await withHttpErrors(table, query.executeTakeFirstOrThrow())
  return numUpdatedRows > 0n ? readRow(db, table, key.id) : readRow(db, table, key.id, version, true)
}

/** Deleting a row that no longer exists is not an error. */
export const deleteRow = async (model: ModelClass, key: RowKey): Promise<void> => {
  const { db, table, dialect } = openTable(model)
  const all = db.deleteFrom(table.name).where('id', '=', toId(key.id))
  if (!table.version) return void (await withHttpErrors(table, all.execute()))
  const version = expectedVersion(key, {}, dialect)
  const { numDeletedRows } = await withHttpErrors(table, all.where('version', '=', version).executeTakeFirstOrThrow())
  if (numDeletedRows === 0n && (await findRow(db, table, key.id, true))) throw versionConflict(table)
}

const openTable = (model: ModelClass): { db: Database; table: Table; dialect: DialectName } => {
  const table = tableOf(model)
  const plain = useDatabase()
  const dialect = dialectOf(plain)
  return { table, dialect, db: plain.withPlugin(rowReader(table, dialect)) }
}

/** @throws {HttpError} 404 without such a row, 409 if it has another version than the expected one */
const readRow = async (db: Database, table: Table, id: unknown, version?: number, isMissed?: boolean): Promise<Row> => {
  const row = await findRow(db, table, id, isMissed)
  if (row === undefined) throw refusal(404, `${table.model} not found`)
  if (version !== undefined && row.version !== version) throw versionConflict(table)
  return row
}

/** @param isMissed whether a statement has just found no such row */
const findRow = (db: Database, table: Table, id: unknown, isMissed = false): Promise<Row | undefined> => {
  const columns = [...table.kinds.keys()]
  const query = db.selectFrom(table.name).select(columns).where('id', '=', toId(id))
  // A MySQL transaction reads its snapshot, but writes to the newest rows. A locking read finds these
  const isSnapshot = isMissed && dialectOf(db) === 'mysql' && isInTransaction()
  return withHttpErrors(table, (isSnapshot ? query.forUpdate() : query).executeTakeFirst())
}

/** The version that the row must have: the version that a client sent in the values, or the version of the record. */
const expectedVersion = (key: RowKey, values: object, dialect: DialectName): number => {
  const passed = propertyOf(values, 'version')
  const version = passed === undefined ? key.version : passed
  const expected = toColumn('version', 'number', version ?? '', dialect)
  if (typeof expected === 'number' && Number.isSafeInteger(expected)) return expected
  throw refusal(422, 'version: expected a whole number', { code: 'invalid_column' })
}

const versionConflict = (table: Table): HttpErrorBase =>
  refusal(409, `${table.model} was changed meanwhile: read it again`, { code: 'version_conflict' })
