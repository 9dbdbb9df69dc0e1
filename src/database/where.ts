import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { toColumn } from './columns.ts'
import type { Table } from './table.ts'
import type { DialectName } from './url.ts'

// any: the tables of the user are not known here, and Kysely's own word for that is any
type Builder = ExpressionBuilder<any, any>

/**
 * `{ name: 'Ada', id: [1, 2], email: null }` as one condition: equal, in the list, is null; all of them.
 *
 * @throws {TypeError} on a column that the model does not declare and on `undefined`, which would both widen the result.
 */
export const toCondition = (table: Table, where: object, dialect: DialectName, builder: Builder): Expression<SqlBool> =>
  builder.and(
    Object.entries(where).map(([name, value]) => {
      const kind = table.kinds.get(name)
      if (kind === undefined) throw new TypeError(`where: ${table.model} has no column '${name}'`)
      if (value === undefined) throw new TypeError(`where.${name}: expected a value or null, got undefined`)
      const column = `${table.name}.${name}`
      if (value === null) return builder(column, 'is', null)
      const cast = (item: unknown): unknown => wide(toColumn(name, kind, item, dialect), dialect)
      if (!Array.isArray(value) || kind === 'json') return builder(column, '=', cast(value))
      return value.length === 0 ? sql<SqlBool>`1 = 0` : builder(column, 'in', value.map(cast))
    }),
  )

/** PostgreSQL takes a parameter for the type of its column and refuses what does not fit; whole numbers compare as bigint. */
const wide = (cell: unknown, dialect: DialectName): unknown => {
  const isWhole = typeof cell === 'bigint' || Number.isSafeInteger(cell)
  return dialect === 'postgres' && isWhole ? sql`cast(${String(cell)} as bigint)` : cell
}

/** What an id may be: digits without a leading zero, as far as a signed 64-bit integer goes. */
const ID = /^[1-9]\d{0,18}$/
const LARGEST = 9_223_372_036_854_775_807n

/** The id that a number, a bigint or a path parameter names, or undefined if it can be none. */
export const toId = (id: unknown): number | bigint | undefined => {
  const digits = typeof id === 'number' || typeof id === 'bigint' || typeof id === 'string' ? String(id) : ''
  if (!ID.test(digits)) return undefined
  const exact = BigInt(digits)
  if (exact > LARGEST) return undefined
  return exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact
}
