import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type HttpErrorBase, refusal } from '../../error/refusal.ts'
import type { DialectName, Tables } from '../dialect.ts'
import { isObject } from '../property.ts'
import { type ColumnKind, KINDS, toColumn } from './columns.ts'
import { Condition, type Test } from './condition.ts'
import type { Table } from './table.ts'

type Builder = ExpressionBuilder<Tables, Tables>

/**
 * Makes one condition of `{ name: 'Ada', id: isIn([1, 2]), email: isNull }`, which holds if all of them hold.
 *
 * @throws {TypeError} for a mistake of the program, such as a column that the model does not declare.
 * @throws {HttpError} 422 for a value that the types do not allow, so a client sent it: `null`, a list or an object
 * instead of a token would match rows that the program did not mean.
 */
export const toCondition = (
  table: Table,
  where: object,
  dialect: DialectName,
  builder: Builder,
): Expression<SqlBool> => {
  if (!isObject(where) || Condition.testOf(where))
    throw new TypeError(`where: expected an object of columns, got ${nameOf(where)}`)
  return builder.and(
    Object.entries(where).map(([name, value]) => {
      const kind = table.kinds.get(name)
      if (kind === undefined) throw new TypeError(`where: ${table.model} has no column '${name}'`)
      return toExpression({ name, kind, dialect, builder, column: `${table.name}.${name}` }, value)
    }),
  )
}

interface ColumnTest {
  readonly name: string
  readonly kind: ColumnKind
  readonly column: string
  readonly dialect: DialectName
  readonly builder: Builder
}

const toExpression = (columnTest: ColumnTest, value: unknown): Expression<SqlBool> => {
  const { builder, column } = columnTest
  const test: Test = Condition.testOf(value) ?? { is: '=', value }
  switch (test.is) {
    case 'null':
      return builder(column, 'is', null)
    case 'not':
      return builder.not(toExpression(columnTest, test.part))
    case 'and':
      return builder.and(test.parts.map((part) => toExpression(columnTest, part)))
    case 'or':
      return builder.or(test.parts.map((part) => toExpression(columnTest, part)))
    case 'in':
      return inList(columnTest, test.values)
    case 'like':
      return likePattern(columnTest, test.pattern)
    default:
      return builder(column, test.is, toOperand(columnTest, test.value))
  }
}

/** SQLite takes 32,766 parameters in a statement, and the other conditions need some. */
const MAX_VALUES = 30_000

const inList = (columnTest: ColumnTest, values: unknown): Expression<SqlBool> => {
  if (!Array.isArray(values)) throw toRefusal(columnTest, values)
  if (values.length > MAX_VALUES) {
    throw new RangeError(`where.${columnTest.name}: expected at most ${MAX_VALUES} values, got ${values.length}`)
  }
  const operands = Array.from(values, (value) => toOperand(columnTest, value))
  return operands.length === 0 ? sql<SqlBool>`1 = 0` : columnTest.builder(columnTest.column, 'in', operands)
}

const likePattern = (columnTest: ColumnTest, pattern: unknown): Expression<SqlBool> => {
  if (columnTest.kind !== 'string' && columnTest.kind !== 'email')
    throw new TypeError(`where.${columnTest.name}: like needs a string column, got ${columnTest.kind}`)
  if (typeof pattern !== 'string') throw toRefusal(columnTest, pattern)
  // A single backslash at the end escapes nothing: PostgreSQL refuses it, the others differ
  const escaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern
  return sql<SqlBool>`${sql.ref(columnTest.column)} like ${toOperand(columnTest, escaped)} escape ${'\\'}`
}

const toOperand = (columnTest: ColumnTest, value: unknown): unknown => {
  const { name, kind, dialect } = columnTest
  if (kind === 'json') throw new TypeError(`where.${name}: a JSON column cannot be compared, use query()`)
  if (value === null || value === undefined) throw toRefusal(columnTest, value)
  return castNumber(kind, toColumn(name, kind, value, dialect), dialect)
}

const toRefusal = ({ name, kind }: ColumnTest, value: unknown): HttpErrorBase => {
  const hint = new TypeError(
    `where.${name}: expected a scalar, isNull, isIn([...]) or another condition, got ${nameOf(value)}`,
  )
  return refusal(422, `${name}: expected ${KINDS[kind].words}`, { code: 'invalid_column', cause: hint })
}

const nameOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value)

/**
 * PostgreSQL gives a parameter the type of its column and refuses 1.5 for an integer. So a whole number is compared as
 * bigint, and any other as numeric, which equals no integer.
 */
const castNumber = (kind: ColumnKind, cell: unknown, dialect: DialectName): unknown => {
  if (dialect !== 'postgres' || kind !== 'number') return cell
  const isWhole = typeof cell === 'bigint' || Number.isSafeInteger(cell)
  return isWhole ? sql`cast(${String(cell)} as bigint)` : sql`cast(${String(cell)} as numeric)`
}
