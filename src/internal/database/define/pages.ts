import type { Page } from '../../../database/model-types.ts'
import { HttpErrorBase, refusal } from '../../error/refusal.ts'
import { checkNames } from '../../options/check.ts'
import { useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { Condition } from '../model/condition.ts'
import { toRecord } from '../model/record.ts'
import { assertCount, orderQuery, rowsOf } from '../model/select.ts'
import { tableOf } from '../model/table.ts'
import { toCondition } from '../model/where.ts'
import type { DefinedModel, QueriedModel } from './field.ts'
import { type AnyRecord, loadRecords, withRelated } from './load.ts'
import { andWhere, countWhere, queryWhere } from './search.ts'

type Options = Parameters<typeof loadRecords>[1]

export const loadPage = async (
  model: QueriedModel,
  { page, limit, ...search }: Options & { readonly page: number; readonly limit: number },
): Promise<Page<AnyRecord>> => {
  assertCount('page', page, 1)
  assertCount('limit', limit, 1)
  const data = await loadRecords(model, { ...search, limit, offset: (page - 1) * limit })
  const total = await countWhere(model, search.where, search.trashed)
  return { data, meta: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/** The records after a cursor: `where (a, b, id) > (…)` written out, because directions may differ. */
export const loadPageAfter = async (
  model: DefinedModel,
  cursor: string | undefined,
  options: Options & { readonly limit: number },
): Promise<{ data: AnyRecord[]; meta: { next: string | null } }> => {
  checkNames(`${model.name}.after`, options, 'where orderBy with count limit')
  const { limit, orderBy = {}, where, with: relations = [], count = [] } = options
  assertCount('limit', limit, 1)
  const order = orderWithId(model, orderBy)
  let query = orderQuery(model, queryWhere(model, where), Object.fromEntries(order)).limit(limit + 1)
  if (cursor !== undefined) {
    const cursorValues = readCursor(model, cursor, order.length)
    const steps = order.map(([name, direction], index) => {
      const same = order.slice(0, index).map(([other], at) => [other, cursorValues[at]])
      const beyond = new Condition({ is: direction === 'asc' ? '>' : '<', value: cursorValues[index] })
      return Object.fromEntries([...same, [name, beyond]])
    })
    const dialect = dialectOf(useDatabase())
    query = query.where((builder) => {
      try {
        return builder.or(steps.map((step) => toCondition(tableOf(model), step, dialect, builder)))
      } catch (error) {
        // A value that does not fit its column was made up, or the order has changed
        throw error instanceof HttpErrorBase ? invalidCursor(model) : error
      }
    })
  }
  const rows = await rowsOf(model, query)
  const records = rows.slice(0, limit).map((row) => toRecord(model, row) as AnyRecord)
  const data = await withRelated(model, records, relations, count)
  const last = rows[limit - 1]
  const next = rows.length > limit && last ? toCursor(order.map(([name]) => last[name])) : null
  return { data, meta: { next } }
}

/** All records that match, in batches by id: constant memory, and no connection is kept. */
export async function* stream(
  model: DefinedModel,
  { where, with: relations = [], batch = 1000 }: Pick<Options, 'where' | 'with'> & { readonly batch?: number },
): AsyncGenerator<AnyRecord> {
  assertCount('batch', batch, 1)
  let last: unknown = 0
  for (;;) {
    const beyond = andWhere(where, { id: new Condition({ is: '>', value: last }) })
    const records = await loadRecords(model, { with: relations, limit: batch, orderBy: { id: 'asc' }, where: beyond })
    yield* records
    if (records.length < batch) return
    last = records.at(-1)!.id
  }
}

/** Adds `id`, so that no two records are equal in the order. */
const orderWithId = (model: DefinedModel, orderBy: object): [string, 'asc' | 'desc'][] => {
  const order = Object.entries(orderBy) as [string, 'asc' | 'desc'][]
  for (const [name] of order) {
    const field = model.fields[name] ?? model.fields[name.replace(/Id$/, '')]
    if (field?.spec.nullable)
      throw new TypeError(`${model.name}.after: orderBy.${name}: expected a column that is never null`)
  }
  return 'id' in orderBy ? order : [...order, ['id', order.at(-1)?.[1] ?? 'asc']]
}

const toCursor = (values: readonly unknown[]): string => {
  const json = JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return Buffer.from(json).toString('base64url')
}

const invalidCursor = (model: DefinedModel): HttpErrorBase =>
  refusal(400, `${model.name}: expected a cursor of this list`, { code: 'invalid_cursor' })

const readCursor = (model: DefinedModel, cursor: string, length: number): unknown[] => {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values) && values.length === length) return values
  } catch {}
  throw invalidCursor(model)
}
