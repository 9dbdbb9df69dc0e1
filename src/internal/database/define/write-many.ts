import { type ExpressionBuilder, sql } from 'kysely'
import { refusal } from '../../error/refusal.ts'
import { isInTransaction, rootDatabase, type Tables, useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { DatabaseError } from '../error/database-error.ts'
import { withHttpErrors } from '../model/query-error.ts'
import { tableOf, toCells } from '../model/table.ts'
import { toCondition } from '../model/where.ts'
import { newCells, type Row, stamp, timeOf } from '../model/write.ts'
import { assertUnique, type DefinedModel, withDefaults } from './field.ts'
import { type AnyRecord, loadRecords } from './load.ts'
import { isRelation } from './path.ts'
import { countWhere, queryIds } from './search.ts'

/** Insert the rows by few statements, all or none. Returns their number, because MySQL cannot return them. */
export const createMany = async (model: DefinedModel, values: readonly object[]): Promise<number> => {
  if (!Array.isArray(values)) throw refusal(422, `${model.name}: expected a list`, { code: 'invalid_column' })
  const all = values.map((each) => cellsOf(model, each))
  // A column that a row leaves out has the default of the database, so rows with the same columns go together
  const groups = new Map<string, Row[]>()
  for (const cells of all) {
    const names = Object.keys(cells).sort().join()
    const group = groups.get(names)
    if (group) group.push(cells)
    else groups.set(names, [cells])
  }
  await inTransaction(async () => {
    for (const rows of [...groups.values()].flatMap(chunks)) await insertRows(model, rows)
  })
  return values.length
}

/** Insert rows that have the same columns. Only MySQL accepts a list of rows without columns. */
const insertRows = async (model: DefinedModel, rows: readonly Row[]): Promise<void> => {
  const db = useDatabase()
  const insert = db.insertInto(model.tableName)
  const isEmpty = Object.keys(rows[0] ?? {}).length === 0 && dialectOf(db) !== 'mysql'
  for (const query of isEmpty ? rows.map(() => insert.defaultValues()) : [insert.values(rows)]) {
    await withHttpErrors(tableOf(model), query.execute())
  }
}

/** The record that has these unique values, or a new one. */
export const firstOrCreate = (model: DefinedModel, where: object, values: object): Promise<AnyRecord> =>
  findOrInsert(model, 'firstOrCreate', where, { ...values, ...where })

/** Change all records that match. */
export const updateWhere = async (
  model: DefinedModel,
  method: string,
  where: object,
  values: object,
  managed: Row = {},
): Promise<number> => {
  const db = useDatabase()
  const table = tableOf(model)
  const cells = { ...toCells(table, values, dialectOf(db)), ...stamp(model), ...managed }
  if (Object.keys(cells).length === 0) return countWhere(model, assertConditions(model, method, where))
  const versionChange = table.version ? { version: sql`version + 1` } : {}
  const all = db.updateTable(table.name).set({ ...cells, ...versionChange })
  const query = all.where(toWhere(model, method, where))
  const alive = table.softDelete ? query.where(`${table.name}.deletedAt`, 'is', null) : query
  const { numUpdatedRows } = await withHttpErrors(table, alive.executeTakeFirstOrThrow())
  return Number(numUpdatedRows)
}

/** Remove all records that match: with `softDelete` by setting `deletedAt`. */
export const deleteWhere = async (model: DefinedModel, where: object): Promise<number> => {
  const table = tableOf(model)
  if (table.softDelete) return updateWhere(model, 'deleteWhere', where, {}, { deletedAt: timeOf(model) })
  const query = useDatabase()
    .deleteFrom(table.name)
    .where(toWhere(model, 'deleteWhere', where))
  const { numDeletedRows } = await withHttpErrors(table, query.executeTakeFirstOrThrow())
  return Number(numDeletedRows)
}

/** Insert the rows whose key does not exist yet. */
export const insertMissing = async (
  model: DefinedModel,
  values: readonly object[],
  by: readonly string[],
): Promise<void> => {
  const [first = 'id'] = by
  const table = tableOf(model)
  for (const rows of chunks(values.map((each) => cellsOf(model, each)))) {
    await inSavepoint(() => {
      const insert = useDatabase().insertInto(table.name).values(rows)
      // `insert ignore` of MySQL would also hide a missing reference
      const query =
        dialectOf(useDatabase()) === 'mysql'
          ? insert.onDuplicateKeyUpdate({ [first]: sql.ref(first) })
          : insert.onConflict((conflict) => conflict.columns([...by]).doNothing())
      return withHttpErrors(table, query.execute())
    })
  }
}

const findOrInsert = async (model: DefinedModel, method: string, where: object, values: object): Promise<AnyRecord> => {
  const by = Object.keys(where)
  assertUnique(model, method, by)
  const search = { where, limit: 1 }
  const [found] = await loadRecords(model, search)
  if (found) return found
  await insertMissing(model, [values], by)
  // A MySQL transaction reads its snapshot, without the rows that others inserted since. A locking read finds them
  const [inserted] = await loadRecords(model, isInTransaction() ? { ...search, lock: true } : search)
  if (inserted) return inserted
  throw refusal(409, 'Already exists', { code: 'not_unique' })
}

/** SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const chunks = <T extends object>(rows: readonly T[]): T[][] => {
  const size = Math.max(1, Math.floor(30_000 / Math.max(1, Object.keys(rows[0] ?? {}).length)))
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}

/** The cells of a new row, defaults included. */
export const cellsOf = (model: DefinedModel, values: object): Record<string, unknown> =>
  newCells(model, withDefaults(model, values))

const assertConditions = (model: DefinedModel, method: string, where: object): object => {
  if (typeof where === 'object' && where !== null) return where
  throw new TypeError(`${model.name}.${method}: expected conditions, and {} for every record, got ${String(where)}`)
}

const toWhere =
  (model: DefinedModel, method: string, where: object) => (builder: ExpressionBuilder<Tables, Tables>) => {
    if (!Object.keys(assertConditions(model, method, where)).some((name) => isRelation(model, name)))
      return toCondition(tableOf(model), where, dialectOf(useDatabase()), builder)
    // MySQL cannot read the table that it changes, except through a derived table
    const ids = queryIds(model, where)
    return builder(`${model.tableName}.id`, 'in', useDatabase().selectFrom(ids.as('sluiceIds')).select('sluiceIds.id'))
  }

/** Run the work in a savepoint on PostgreSQL, where a statement that fails would end the whole transaction. */
export const inSavepoint = async <T>(work: () => Promise<T>): Promise<T> => {
  if (!isInTransaction()) return retryWhenBusy(work)
  return dialectOf(useDatabase()) === 'postgres' ? rootDatabase().transaction().execute(work) : work()
}

/** Run the work in the current transaction, or in a new one. */
export const inTransaction = <T>(work: () => Promise<T>): Promise<T> =>
  isInTransaction() ? work() : retryWhenBusy(() => rootDatabase().transaction().execute(work))

/**
 * Repeat the work after a deadlock, in which the database ends one of two transactions. Only for work that is not part
 * of a transaction of the caller.
 */
const retryWhenBusy = async <T>(work: () => Promise<T>, attempts = 10): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (attempts <= 1 || !(error instanceof DatabaseError) || error.code !== 'busy') throw error
    return retryWhenBusy(work, attempts - 1)
  }
}
