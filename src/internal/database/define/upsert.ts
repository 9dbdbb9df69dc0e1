import { sql } from 'kysely'
import { HttpErrorBase, refusal } from '../../error/refusal.ts'
import { checkNames } from '../../options/check.ts'
import { useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { withHttpErrors } from '../model/query-error.ts'
import { toRecord } from '../model/record.ts'
import { rowReader, tableOf, toCells } from '../model/table.ts'
import { insertRow, newCells, stamp, updateRow } from '../model/write.ts'
import { isObject } from '../property.ts'
import { assertUnique, type DefinedModel } from './field.ts'
import { type AnyRecord, loadRecords } from './load.ts'
import { inSavepoint, inTransaction } from './write-many.ts'

/** Insert, or update the record that has the same values in `by`. */
export const upsert = async (
  model: DefinedModel,
  values: object,
  options: { readonly by: readonly string[]; readonly update?: object },
): Promise<AnyRecord> => {
  checkNames(`${model.name}.upsert`, options, 'by update')
  const { by, update } = options
  assertUnique(model, 'upsert', by)
  if (!isObject(values)) throw refusal(422, `${model.name}: expected an object of columns`, { code: 'invalid_column' })
  const entries = Object.entries(values)
  const where = Object.fromEntries(entries.filter(([name]) => by.includes(name)))
  // A key without a value identifies no record
  const missing = by.find((name) => where[name] === undefined || where[name] === null)
  if (missing !== undefined) throw refusal(422, `${missing}: expected a value`, { code: 'invalid_column' })
  const table = tableOf(model)
  const dialect = dialectOf(useDatabase())
  const changes = update ?? Object.fromEntries(entries.filter(([name]) => !by.includes(name)))
  const cells = toCells(table, changes, dialect)
  // Also checks the values on MySQL, which does not see them if the record exists
  const inserted = newCells(model, values)
  if (dialect !== 'mysql') {
    const versionChange = table.version ? { version: sql`${sql.ref(`${table.name}.version`)} + 1` } : {}
    const changedCells = { ...cells, ...stamp(model), ...versionChange }
    // Without changes the row is set to its own id, because only a row that is written is returned
    const set = Object.keys(cells).length > 0 ? changedCells : { id: sql.ref(`${table.name}.id`) }
    const row = await inSavepoint(() => {
      const query = useDatabase()
        .withPlugin(rowReader(table, dialect))
        .insertInto(table.name)
        .values(inserted)
        .onConflict((conflict) => conflict.columns([...by]).doUpdateSet(set))
        .returning([...table.kinds.keys()])
      return withHttpErrors(table, query.executeTakeFirstOrThrow())
    })
    return toRecord(model, row) as AnyRecord
  }
  // `on duplicate key` of MySQL cannot name a key, and would update a row that clashes by another one. So the row is
  // found and locked first
  return inTransaction(async () => {
    for (let isRepeated = false; ; isRepeated = true) {
      const [existing] = await loadRecords(model, { where, limit: 1, trashed: 'with', lock: true })
      if (existing) {
        const { id, version } = existing
        // The row is locked, so it has this version; one among the values is ignored
        const changed = table.version ? { ...changes, version } : changes
        return toRecord(model, await updateRow(model, { id, version }, changed)) as AnyRecord
      }
      try {
        return toRecord(model, await insertRow(model, values)) as AnyRecord
      } catch (error) {
        // Only if another transaction has inserted the row. A deadlock, for example, ends this transaction
        if (isRepeated || !(error instanceof HttpErrorBase) || error.code !== 'not_unique') throw error
      }
    }
  })
}
