import { checkNames } from '../../options/check.ts'
import { useDatabase } from '../ambient.ts'
import { dialectOf } from '../dialect.ts'
import { Condition } from '../model/condition.ts'
import { Refused } from '../model/refused.ts'
import { orderedBy, rowsOf } from '../model/select.ts'
import { tableOf } from '../model/table.ts'
import { toCondition } from '../model/where.ts'
import type { DefinedModel, QueriedModel } from './field.ts'
import { type Loading, load } from './load.ts'
import { countWhere, filtered, type WideSearch } from './search.ts'

type Options = Parameters<typeof load>[1]

/** A page and its totals. */
export const page = async (
  model: QueriedModel,
  { page: number, limit, ...search }: Options & { readonly page: number; readonly limit: number },
): Promise<{ data: Loading[]; meta: { page: number; limit: number; total: number; totalPages: number } }> => {
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Refused(400, `page: expected a whole number of at least 1, got ${number}`, 'invalid_number')
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new Refused(400, `limit: expected a whole number of at least 1, got ${limit}`, 'invalid_number')
  const data = await load(model, { ...search, limit, offset: (number - 1) * limit })
  const total = await countWhere(model, search.where, search.trashed)
  return { data, meta: { page: number, limit, total, totalPages: Math.ceil(total / limit) } }
}

/** The records after a cursor: `where (a, b, id) > (…)` written out, because directions may differ. */
export const after = async (
  model: DefinedModel,
  cursor: string | undefined,
  { limit, orderBy = {}, where = {}, with: wanted, count, ...rest }: Options & { readonly limit: number },
): Promise<{ data: Loading[]; meta: { next: string | null } }> => {
  checkNames(`${model.name}.after`, rest, 'trashed')
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new Refused(400, `limit: expected a whole number of at least 1, got ${limit}`, 'invalid_number')
  const order = wholeOrder(model, orderBy)
  let query = orderedBy(model, filtered(model, where, rest.trashed), Object.fromEntries(order)).limit(limit + 1)
  if (cursor !== undefined) {
    const seen = readCursor(model, cursor, order.length)
    const steps = order.map(([name, direction], index) => {
      const same = order.slice(0, index).map(([other], at) => [other, seen[at]])
      const beyond = new Condition({ is: direction === 'asc' ? '>' : '<', value: seen[index] })
      return Object.fromEntries([...same, [name, beyond]])
    })
    const dialect = dialectOf(useDatabase())
    query = query.where((builder) =>
      builder.or(steps.map((step) => atCursor(model, () => toCondition(tableOf(model), step, dialect, builder)))),
    )
  }
  const rows = await rowsOf(model, query)
  const ids = rows.slice(0, limit).map(({ id }) => id)
  const isIds = new Condition({ is: 'in', values: ids })
  const records = await load(model, {
    where: { id: isIds },
    ...rest,
    ...(wanted && { with: wanted }),
    ...(count && { count }),
  })
  const byId = new Map(records.map((record) => [String(record.id), record]))
  const data = ids.flatMap((id): Loading[] => {
    const record = byId.get(String(id))
    return record ? [record] : []
  })
  const last = rows[limit - 1]
  const next = rows.length > limit && last ? toCursor(order.map(([name]) => last[name])) : null
  return { data, meta: { next } }
}

/** All records that match, in batches by id: constant memory, and no connection is kept. */
export async function* stream(
  model: DefinedModel,
  {
    where = {},
    with: wanted = [],
    batch = 1000,
    trashed = 'without',
  }: Pick<WideSearch, 'where' | 'trashed'> & {
    readonly with?: readonly string[]
    readonly batch?: number
  },
): AsyncGenerator<Loading> {
  let last: unknown = 0
  for (;;) {
    // Conditions of the caller on `id` hold as well
    const beyond = new Condition({ is: '>', value: last })
    const own = (where as { id?: unknown }).id
    const id = own === undefined ? beyond : new Condition({ is: 'and', parts: [own, beyond] })
    const records = await load(model, {
      where: { ...where, id },
      with: wanted,
      limit: batch,
      orderBy: { id: 'asc' },
      trashed,
    })
    yield* records
    if (records.length < batch) return
    last = records.at(-1)?.id
  }
}

/** The order with `id` at its end, so that no two records are equal in it. */
const wholeOrder = (model: DefinedModel, orderBy: object): [string, 'asc' | 'desc'][] => {
  const order = Object.entries(orderBy) as [string, 'asc' | 'desc'][]
  for (const [name] of order) {
    const field = model.fields[name] ?? model.fields[name.replace(/Id$/, '')]
    if (field?.spec.nullable)
      throw new TypeError(`${model.name}.after: orderBy.${name}: expected a column that is never null`)
  }
  return 'id' in orderBy ? order : [...order, ['id', order.at(-1)?.[1] ?? 'asc']]
}

const toCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))).toString(
    'base64url',
  )

const foreignCursor = (model: DefinedModel): Refused =>
  new Refused(400, `${model.name}: expected a cursor of this list`, 'invalid_cursor')

const readCursor = (model: DefinedModel, cursor: string, length: number): unknown[] => {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values) && values.length === length) return values
  } catch {}
  throw foreignCursor(model)
}

/** A value of the cursor that does not fit its column: somebody made it up, or the order has changed. */
const atCursor = <T>(model: DefinedModel, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refused ? foreignCursor(model) : error
  }
}
