import { refusal } from '../../error/refusal.ts'
import type { ColumnKind } from './columns.ts'

/** A kind of column, with the limits that its database column has. */
export type ColumnType =
  | ColumnKind
  | 'integer'
  | `string(${number})`
  | `email(${number})`
  | `decimal(${number}, ${number})`

/** Returns the cell to store, or refuses it with 422. */
export type Limit = (name: string, cell: unknown) => unknown

const TYPE = /^(string|email|decimal)\((\d{1,5})(?:, ?(\d{1,2}))?\)$/

/** An unknown type becomes the kind as it is written, and `tableOf` refuses it. */
export const readType = (type: ColumnType): { readonly kind: ColumnKind; readonly limit?: Limit } => {
  if (type === 'integer') return { kind: 'number', limit: whole }
  const [, kind, first, second] = TYPE.exec(type) ?? []
  if (kind === undefined) return { kind: type as ColumnKind }
  if (kind === 'decimal') return { kind: 'number', limit: decimal(Number(first), Number(second ?? 0)) }
  return { kind: kind as 'string' | 'email', limit: length(Number(first)) }
}

const throwInvalidLimit = (name: string, expected: string): never => {
  throw refusal(422, `${name}: expected ${expected}`, { code: 'invalid_value' })
}

/** SQLite ignores the length of a `varchar(40)`. Databases count characters, not UTF-16 units. */
const length =
  (max: number): Limit =>
  (name, cell) =>
    typeof cell === 'string' && cell.length > max && [...cell].length > max
      ? throwInvalidLimit(name, `at most ${max} characters`)
      : cell

const MAX_INTEGER = 2_147_483_647

const whole: Limit = (name, cell) =>
  typeof cell === 'number' && Number.isInteger(cell) && cell >= -MAX_INTEGER - 1 && cell <= MAX_INTEGER
    ? cell
    : throwInvalidLimit(name, `a whole number from ${-MAX_INTEGER - 1} to ${MAX_INTEGER}`)

/** Rounds as the other databases do. SQLite would store every digit. */
const decimal = (digits: number, places: number): Limit => {
  const bound = 10 ** (digits - places)
  return (name, cell) => {
    const rounded = typeof cell === 'number' ? Number(cell.toFixed(places)) : cell
    const value = typeof rounded === 'bigint' ? rounded : Number(rounded)
    return value >= bound || value <= -bound
      ? throwInvalidLimit(name, `at most ${digits - places} digits before the point`)
      : rounded
  }
}
