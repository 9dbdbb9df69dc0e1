import { type ExpressionBuilder, sql } from 'kysely'
import { refusal } from '../../error/refusal.ts'
import { isInTransaction, rootDatabase, useDatabase } from '../ambient.ts'
import { dialectOf, type Tables } from '../dialect.ts'
import { isDeadlock } from '../error/database-error.ts'
import { withHttpErrors } from '../model/query-error.ts'
import { tableOf, toCells } from '../model/table.ts'
import { toCondition } from '../model/where.ts'
import { newCells, type Row, stamp, timeOf } from '../model/write.ts'
import { assertUnique, type DefinedModel } from './field.ts'
import { type AnyRecord, inChunks, loadRecords } from './load.ts'
import { isRelation } from './path.ts'
import { countWhere, queryColumn } from './search.ts'

/** @returns the number of rows, because MySQL cannot return them */
export const createMany = async (model: DefinedModel, values: readonly object[]): Promise<number> => {
  if (!Array.isArray(values)) throw refusal(422, `${model.name}: expected a list`, { code: 'invalid_column' })
  // A column that a row leaves out has the default of the database, so rows with the same columns go together
  const groups = new Map<string, Row[]>()
  for (const cells of values.map((each) => newCells(model, each))) {
    const names = Object.keys(cells).sort().join()
    const group = groups.get(names)
    if (group) group.push(cells)
    else groups.set(names, [cells])
  }
  await inTransaction(async () => {
    const insert = useDatabase().insertInto(model.tableName)
    for (const [names, rows] of groups) {
      // Only MySQL accepts a list of rows without columns
      const isEmpty = names === '' && dialectOf(useDatabase()) !== 'mysql'
      // Each query is made when it is sent, because it copies its rows
      for (const part of isEmpty ? rows.map((row) => [row]) : chunks(rows)) {
        const query = isEmpty ? insert.defaultValues() : insert.values(part)
        await withHttpErrors(tableOf(model), query.execute())
      }
    }
  })
  return values.length
}

/** The record that has these unique values, or a new one. */
export const firstOrCreate = async (model: DefinedModel, where: object, values: object): Promise<AnyRecord> => {
  const by = Object.keys(where)
  assertUnique(model, 'firstOrCreate', by)
  const search = { where, limit: 1 }
  const [existing] = await loadRecords(model, search)
  if (existing) return existing
  await insertMissing(model, [{ ...values, ...where }], by)
  // A MySQL transaction reads its snapshot, without the rows that others inserted since. A locking read finds them
  const [inserted] = await loadRecords(model, isInTransaction() ? { ...search, lock: true } : search)
  if (inserted) return inserted
  throw refusal(409, 'Already exists', { code: 'not_unique' })
}

export const updateWhere = async (
  model: DefinedModel,
  where: object,
  values: object,
  managed: Row = {},
): Promise<number> => {
  assertConditions(model, 'updateWhere', where)
  const db = useDatabase()
  const table = tableOf(model)
  const cells = { ...toCells(table, values, dialectOf(db)), ...stamp(model), ...managed }
  if (Object.keys(cells).length === 0) return countWhere(model, where)
  const versionChange = table.version ? { version: sql`version + 1` } : {}
  const all = db.updateTable(table.name).set({ ...cells, ...versionChange })
  const query = all.where(toWhere(model, where))
  const alive = table.softDelete ? query.where(`${table.name}.deletedAt`, 'is', null) : query
  const { numUpdatedRows } = await withHttpErrors(table, alive.executeTakeFirstOrThrow())
  return Number(numUpdatedRows)
}

/** Remove all records that match: with `softDelete` by setting `deletedAt`. */
export const deleteWhere = async (model: DefinedModel, where: object): Promise<number> => {
  assertConditions(model, 'deleteWhere', where)
  const table = tableOf(model)
  if (table.softDelete) return updateWhere(model, where, {}, { deletedAt: timeOf(model) })
  const query = useDatabase().deleteFrom(table.name).where(toWhere(model, where))
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
  for (const rows of chunks(values.map((each) => newCells(model, each)))) {
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

/** SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const chunks = (rows: readonly Row[]): Row[][] => {
  const columns = Object.keys(rows[0] ?? {}).length
  return inChunks(rows, Math.max(1, Math.floor(30_000 / Math.max(1, columns))))
}

const assertConditions = (model: DefinedModel, method: string, where: object): void => {
  if (typeof where !== 'object' || where === null)
    throw new TypeError(`${model.name}.${method}: expected conditions, and {} for every record, got ${String(where)}`)
}

const toWhere = (model: DefinedModel, where: object) => (builder: ExpressionBuilder<Tables, Tables>) => {
  if (!Object.keys(where).some((name) => isRelation(model, name)))
    return toCondition(tableOf(model), where, dialectOf(useDatabase()), builder)
  // MySQL cannot read the table that it changes, except through a derived table
  const ids = queryColumn(model, 'id', where)
  return builder(`${model.tableName}.id`, 'in', useDatabase().selectFrom(ids.as('sluiceIds')).select('sluiceIds.id'))
}

/** Run the work in a savepoint on PostgreSQL, where a statement that fails would end the whole transaction. */
export const inSavepoint = async <T>(work: () => Promise<T>): Promise<T> => {
  if (!isInTransaction()) return repeatAfterDeadlock(work)
  return dialectOf(useDatabase()) === 'postgres' ? rootDatabase().transaction().execute(work) : work()
}

export const inTransaction = <T>(work: () => Promise<T>): Promise<T> =>
  isInTransaction() ? work() : repeatAfterDeadlock(() => rootDatabase().transaction().execute(work))

/** Repeat the work after a deadlock. The work must not be part of a transaction of the caller. */
const repeatAfterDeadlock = async <T>(work: () => Promise<T>, attempts = 10): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (attempts <= 1 || !isDeadlock(error)) throw error
    return repeatAfterDeadlock(work, attempts - 1)
  }
}
