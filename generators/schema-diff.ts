import type { DatabaseTable } from './database.ts'
import type { Kind, ModelTable } from './models.ts'

/** One thing that the models and a database do not have alike. */
export interface Difference {
  /** `missing` in the database, `extra` there, or of another type. */
  readonly state: 'missing' | 'extra' | 'differs'
  readonly table: string
  /** Absent where it is the whole table. */
  readonly column?: string
  readonly model?: string
  /** Kind that the model says. */
  readonly expected?: Kind
  /** Type that the database has. */
  readonly found?: string
}

/** Compare tables and columns. What no model declares is `extra`, which may be meant; tables without a model are not told. */
export const compareSchema = (models: readonly ModelTable[], tables: readonly DatabaseTable[]): Difference[] => {
  const differences = models.flatMap((model) => compareTable(model, tables))
  const extra = [...new Set(models.map(({ table }) => table))].flatMap((table) => {
    // Two models may share a table, each with its part of the columns.
    const known = models.filter((model) => model.table === table)
    const columns = tables.find(({ name }) => name === table)?.columns ?? []
    return columns
      .filter(({ name }) => !known.some((model) => model.columns.has(name)))
      .map(({ name, dataType }): Difference => ({ state: 'extra', table, column: name, found: dataType.toLowerCase() }))
  })
  return [...differences, ...extra]
}

const compareTable = ({ model, table, columns }: ModelTable, tables: readonly DatabaseTable[]): Difference[] => {
  const found = tables.find(({ name }) => name === table)
  if (found === undefined) return [{ state: 'missing', table, model }]
  return [...columns].flatMap(([column, { kind }]): Difference[] => {
    const type = found.columns.find(({ name }) => name === column)?.dataType.toLowerCase()
    if (type === undefined) return [{ state: 'missing', table, column, model, expected: kind }]
    return fits(kind, type) ? [] : [{ state: 'differs', table, column, model, expected: kind, found: type }]
  })
}

const WHOLE = '(?:tiny|small|medium|big)?int(?:eger|\\d)?|(?:big|small)?serial'

const TEXT = /char|text|clob|uuid|enum|^name\b/

/** Types that hold a kind on SQLite, PostgreSQL, MySQL or MariaDB, as the database calls them. */
const TYPES: Readonly<Record<Kind, RegExp>> = {
  string: TEXT,
  email: TEXT,
  number: new RegExp(`^(?:${WHOLE}|float\\d?|double|real|numeric|decimal|dec|number)\\b`),
  // Numbers 0 and 1 where there is no such type.
  boolean: new RegExp(`^(?:bool|bit|${WHOLE})`),
  // Text where there is no such type: SQLite.
  date: /^(?:date|time|text|varchar)/,
  json: /json|text|clob/,
  bytes: /blob|bytea|binary/,
}

/** Whether a column of that type, in small letters, holds values of the kind. */
const fits = (kind: Kind, type: string): boolean => TYPES[kind].test(type)
