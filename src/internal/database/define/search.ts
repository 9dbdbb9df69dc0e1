import { refusal } from '../../error/refusal.ts'
import { isInTransaction, useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { Condition } from '../model/condition.ts'
import { withHttpErrors } from '../model/query-error.ts'
import { type AnyQuery, baseQuery, limitQuery, rowsOf, type Search, type Trashed } from '../model/select.ts'
import { tableOf } from '../model/table.ts'
import type { Row } from '../model/write.ts'
import { isObject } from '../property.ts'
import type { QueriedModel } from './field.ts'
import { isRelation, pathOf } from './path.ts'

export const findRows = (model: QueriedModel, search: Search): Promise<Row[]> => {
  const all = queryWhere(model, search.where, search.trashed)
  return rowsOf(model, lockRows(model, limitQuery(model, all, search), search.lock))
}

export const countWhere = async (model: QueriedModel, where?: object, trashed?: Trashed): Promise<number> => {
  const query = queryWhere(model, where, trashed)
    .clearSelect()
    .select((builder) => builder.fn.countAll<number | string>().as('total'))
  const { total } = await withHttpErrors(tableOf(model), query.executeTakeFirstOrThrow())
  return Number(total)
}

/** Combines two sets of conditions. Returns a `where` that is not an object unchanged, and the search refuses it. */
export const andWhere = (where: object | undefined, always: object): object => {
  if (where !== undefined && (!isObject(where) || Condition.testOf(where))) return where
  const conditions: Readonly<Record<string, unknown>> = { ...where }
  const combined = Object.entries(always).map(([name, value]) => [
    name,
    Object.hasOwn(conditions, name) ? new Condition({ is: 'and', parts: [conditions[name], value] }) : value,
  ])
  return { ...conditions, ...Object.fromEntries(combined) }
}

/** Conditions on columns and, for the name of a relation, on its records: `{ tags: { name: 'x' } }` has such a tag. */
export const queryWhere = (model: QueriedModel, where?: object, trashed: Trashed = 'without'): AnyQuery => {
  if (!isObject(where)) return baseQuery(model, trashed, where)
  const entries = Object.entries<unknown>({ ...where })
  const related = entries.filter(([name]) => isRelation(model, name))
  if (related.length === 0) return baseQuery(model, trashed, where)
  const plain = Object.fromEntries(entries.filter(([name]) => !isRelation(model, name)))
  return related.reduce(
    (query, [name, inner]) => whereRelated(model, query, name, inner),
    baseQuery(model, trashed, plain),
  )
}

/** One column of the records that match, as a query. */
export const queryColumn = (model: QueriedModel, column: string, where?: object): AnyQuery =>
  queryWhere(model, where).clearSelect().select(`${model.tableName}.${column}`)

const whereRelated = (model: QueriedModel, query: AnyQuery, name: string, inner: unknown): AnyQuery => {
  if (!isObject(inner)) throw refusal(422, `${name}: expected conditions`, { code: 'invalid_column' })
  const { target, localKey, foreignKey, through } = pathOf(model, name)
  const ids = queryColumn(target, through ? 'id' : foreignKey, inner)
  const keys = through
    ? queryColumn(through.model, foreignKey).where(`${through.model.tableName}.${through.relatedKey}`, 'in', ids)
    : ids
  return query.where(`${model.tableName}.${localKey}`, 'in', keys)
}

const lockRows = (model: QueriedModel, query: AnyQuery, lock: Search['lock']): AnyQuery => {
  if (lock === undefined) return query
  if (!isInTransaction())
    throw new TypeError(`${model.name}: lock: expected to run inside transaction(), which releases it`)
  // SQLite has one writer at a time, and this transaction is it
  if (dialectOf(useDatabase()) === 'sqlite') return query
  return lock === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate()
}
