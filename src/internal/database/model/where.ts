import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type HttpErrorBase, refusal } from '../../error/refusal.ts'
import type { Tables } from '../ambient.ts'
import type { DialectName } from '../url.ts'
import { type ColumnKind, toColumn, wordsOf } from './columns.ts'
import { Condition, type Test } from './condition.ts'
import type { Table } from './table.ts'

// any: the tables of the user are not known here, and Kysely's own word for that is any
type Builder = ExpressionBuilder<Tables, Tables>

/**
 * `{ name: 'Ada', id: isIn([1, 2]), email: isNull }` as one condition that holds if all of them hold.
 *
 * @throws {TypeError} on mistakes of the program: something that is not an object of columns, a column that the model
 * does not declare, a comparison that its kind does not have.
 * @throws {HttpError} 422 on a value that is not a scalar of the column's kind. The types allow no such value, so it came
 * from outside: `null`, a list or an object instead of a token would match rows that the program did not mean.
 */
export const toCondition = (
  table: Table,
  where: object,
  dialect: DialectName,
  builder: Builder,
): Expression<SqlBool> => {
  if (typeof where !== 'object' || where === null || Array.isArray(where) || Condition.testOf(where)) {
    throw new TypeError(`where: expected an object of columns, got ${nameOf(where)}`)
  }
  return builder.and(
    Object.entries(where).map(([name, value]) => {
      const kind = table.kinds.get(name)
      if (kind === undefined) throw new TypeError(`where: ${table.model} has no column '${name}'`)
      return toExpression({ name, kind, dialect, builder, column: `${table.name}.${name}` }, value)
    }),
  )
}

/** One column of a condition. */
interface Place {
  readonly name: string
  readonly kind: ColumnKind
  readonly column: string
  readonly dialect: DialectName
  readonly builder: Builder
}

const toExpression = (place: Place, value: unknown): Expression<SqlBool> =>
  ofTest(place, Condition.testOf(value) ?? { is: '=', value })

const ofTest = (place: Place, test: Test): Expression<SqlBool> => {
  const { builder, column } = place
  switch (test.is) {
    case 'null':
      return builder(column, 'is', null)
    case 'not':
      return builder.not(toExpression(place, test.part))
    case 'and':
      return builder.and(test.parts.map((part) => toExpression(place, part)))
    case 'or':
      return builder.or(test.parts.map((part) => toExpression(place, part)))
    case 'in':
      return inList(place, test.values)
    case 'like':
      return likePattern(place, test.pattern)
    default:
      return builder(column, test.is, toOperand(place, test.value))
  }
}

/** SQLite takes 32,766 parameters in a statement, and the other conditions need some. */
const MOST_VALUES = 30_000

const inList = (place: Place, values: unknown): Expression<SqlBool> => {
  if (!Array.isArray(values)) throw refuse(place, values)
  if (values.length > MOST_VALUES) {
    throw new RangeError(`where.${place.name}: expected at most ${MOST_VALUES} values, got ${values.length}`)
  }
  const operands = Array.from(values, (value) => toOperand(place, value))
  return operands.length === 0 ? sql<SqlBool>`1 = 0` : place.builder(place.column, 'in', operands)
}

const likePattern = (place: Place, pattern: unknown): Expression<SqlBool> => {
  if (place.kind !== 'string' && place.kind !== 'email')
    throw new TypeError(`where.${place.name}: like needs a string column, got ${place.kind}`)
  if (typeof pattern !== 'string') throw refuse(place, pattern)
  // A single backslash at the end escapes nothing: PostgreSQL refuses it, the others differ.
  const whole = /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern
  return sql<SqlBool>`${sql.ref(place.column)} like ${toOperand(place, whole)} escape ${'\\'}`
}

/** A scalar as the database compares it. */
const toOperand = (place: Place, value: unknown): unknown => {
  const { name, kind, dialect } = place
  if (kind === 'json') throw new TypeError(`where.${name}: a JSON column cannot be compared, use query()`)
  if (value === null || value === undefined) throw refuse(place, value)
  return wide(kind, toColumn(name, kind, value, dialect), dialect)
}

const refuse = ({ name, kind }: Place, value: unknown): HttpErrorBase => {
  const hint = new TypeError(
    `where.${name}: expected a scalar, isNull, isIn([...]) or another condition, got ${nameOf(value)}`,
  )
  return refusal(422, `${name}: expected ${wordsOf(kind)}`, { code: 'invalid_column', cause: hint })
}

const nameOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value)

/**
 * PostgreSQL takes a parameter for the type of its column and refuses what does not fit. A whole number is compared as
 * bigint and any other one as numeric, so that 1.5 equals no integer instead of being an error.
 */
const wide = (kind: ColumnKind, cell: unknown, dialect: DialectName): unknown => {
  if (dialect !== 'postgres' || kind !== 'number') return cell
  const isWhole = typeof cell === 'bigint' || Number.isSafeInteger(cell)
  return isWhole ? sql`cast(${String(cell)} as bigint)` : sql`cast(${String(cell)} as numeric)`
}
