import { fieldsOfKeys } from '../fields/unique-keys.ts'
import type { Kind, ModelTable } from '../models/models.ts'
import type { TableKey } from './database-keys.ts'

/** A table as Kysely finds it in a database. */
interface DatabaseTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly dataType: string }[]
}

/** A difference between the models and a database. */
export interface Difference {
  /** `missing` in the database, `extra` in the database, or `differs` in its type. */
  readonly state: 'missing' | 'extra' | 'differs'
  readonly table: string
  /** Absent for a whole table. */
  readonly column?: string
  /** The columns of a unique key. */
  readonly unique?: readonly string[]
  readonly model?: string
  /** Kind in the model. */
  readonly expected?: Kind
  /** Type in the database. */
  readonly found?: string
}

/**
 * Compare tables, columns and unique keys. Columns and keys that no model declares are `extra`. Tables without a model
 * are ignored.
 */
export const compareSchema = (
  models: readonly ModelTable[],
  tables: readonly DatabaseTable[],
  keys: readonly TableKey[],
): Difference[] => {
  const differences = models.flatMap((model) => compareTable(model, tables))
  const extra = [...new Set(models.map(({ table }) => table))].flatMap((table) => {
    // Two models may share a table, and each declares some of its columns.
    const tableModels = models.filter((model) => model.table === table)
    const columns = tables.find(({ name }) => name === table)?.columns ?? []
    return columns
      .filter(({ name }) => !tableModels.some((model) => model.columns.has(name)))
      .map(({ name, dataType }): Difference => ({ state: 'extra', table, column: name, found: dataType.toLowerCase() }))
  })
  return [...differences, ...missingKeys(models, tables, keys), ...extra, ...extraKeys(models, keys)]
}

/** The columns of the unique keys that a model declares. */
const keysOf = ({ fields, unique }: ModelTable): readonly (readonly string[])[] =>
  [...fields.filter((field) => field.unique).map((field) => [field]), ...fieldsOfKeys(unique, fields)].map((key) =>
    key.map(({ column }) => column),
  )

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((column) => b.includes(column))

/** Keys of columns that the table has: a column that is missing is reported itself. */
const missingKeys = (
  models: readonly ModelTable[],
  tables: readonly DatabaseTable[],
  keys: readonly TableKey[],
): Difference[] =>
  models.flatMap((model) => {
    const { table } = model
    const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    return keysOf(model)
      .filter((key) => key.every((column) => columns.includes(column)))
      .filter((key) => !keys.some((each) => each.table === table && isSame(each.columns, key)))
      .map((unique): Difference => ({ state: 'missing', table, unique, model: model.model }))
  })

/** Keys of tables whose models all declare theirs. */
const extraKeys = (models: readonly ModelTable[], keys: readonly TableKey[]): Difference[] =>
  keys.flatMap(({ table, columns: unique }): Difference[] => {
    const tableModels = models.filter((model) => model.table === table)
    const isDeclared = tableModels.some((model) => !model.isDefined || keysOf(model).some((key) => isSame(key, unique)))
    return tableModels.length === 0 || isDeclared ? [] : [{ state: 'extra', table, unique }]
  })

const compareTable = ({ model, table, columns }: ModelTable, tables: readonly DatabaseTable[]): Difference[] => {
  const match = tables.find(({ name }) => name === table)
  if (match === undefined) return [{ state: 'missing', table, model }]
  return [...columns].flatMap(([column, { kind }]): Difference[] => {
    const type = match.columns.find(({ name }) => name === column)?.dataType.toLowerCase()
    if (type === undefined) return [{ state: 'missing', table, column, model, expected: kind }]
    return fits(kind, type) ? [] : [{ state: 'differs', table, column, model, expected: kind, found: type }]
  })
}

const WHOLE = '(?:tiny|small|medium|big)?int(?:eger|\\d)?|(?:big|small)?serial'

const TEXT = /char|text|clob|uuid|enum|^name\b/

/** The database types that can store a kind, on SQLite, PostgreSQL, MySQL or MariaDB. */
const TYPES: Readonly<Record<Kind, RegExp>> = {
  string: TEXT,
  email: TEXT,
  number: new RegExp(`^(?:${WHOLE}|float\\d?|double|real|numeric|decimal|dec|number)\\b`),
  // The numbers 0 and 1 in databases without a boolean type.
  boolean: new RegExp(`^(?:bool|bit|${WHOLE})`),
  // Text in SQLite, which has no such type.
  date: /^(?:date|time|text|varchar)/,
  json: /json|text|clob/,
  bytes: /blob|bytea|binary/,
}

/** True if a column of that type, in lower case, can store values of the kind. */
const fits = (kind: Kind, type: string): boolean => TYPES[kind].test(type)
