import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import { refusal } from '../../error/refusal.ts'
import type { DialectName } from '../dialect.ts'
import { isObject } from '../property.ts'
import { type ColumnKind, KINDS, toColumn } from './columns.ts'
import { type ColumnType, type Limit, readType } from './limit.ts'

/** Columns by their name in the model: `{ title: 'string(80)', done: 'boolean' }`. */
export type Columns = Readonly<Record<string, ColumnType>>

/** The static members of a model that describe its table. */
export interface TableSource {
  readonly name: string
  readonly tableName: string
  readonly columns?: Columns
  readonly timestamps?: boolean
  readonly softDelete?: boolean
  readonly version?: boolean
}

export interface Table {
  readonly model: string
  readonly name: string
  /** Every column, in the order in which a record shows them. */
  readonly kinds: ReadonlyMap<string, ColumnKind>
  /** Every column with the table before it: `posts.title`. */
  readonly columns: readonly string[]
  readonly limits: ReadonlyMap<string, Limit>
  /** The columns that `create` and `update` take from their caller. */
  readonly assignable: ReadonlySet<string>
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly version: boolean
}

const MANAGED: ReadonlySet<string> = /* @__PURE__ */ new Set(['id', 'createdAt', 'updatedAt', 'deletedAt'])

/** Names that would hide a method of the record, or that have a meaning in JavaScript. */
const RESERVED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'update delete restore forceDelete toJSON constructor prototype __proto__'.split(' '),
)

/** Matches names that are the same after conversion to snake_case and back. */
const NAME = /^[a-z](?:[a-z\d]|[A-Z](?![A-Z]))*$/

const tables: WeakMap<TableSource, Table> = /* @__PURE__ */ new WeakMap()

/** @throws {TypeError} if the model names no table, or a column that cannot be one. */
export const tableOf = (source: TableSource): Table => {
  const cached = tables.get(source)
  if (cached) return cached
  const table = readTable(source)
  tables.set(source, table)
  return table
}

const readTable = (source: TableSource): Table => {
  const { name, tableName, columns = {}, timestamps = false, softDelete = false, version = false } = source
  if (typeof tableName !== 'string' || tableName === '') {
    throw new TypeError(`${name}.tableName: expected the name of a table, got ${String(tableName)}`)
  }
  const kinds = new Map<string, ColumnKind>([['id', 'number']])
  const limits = new Map<string, Limit>()
  for (const [column, type] of Object.entries(columns)) {
    const { kind, limit } = readType(type)
    if (limit) limits.set(column, limit)
    if (!NAME.test(column) || RESERVED.has(column))
      throw new TypeError(`${name}.columns: '${column}' cannot be a column, which is named in camelCase`)
    if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`${name}.columns.${column}: unknown kind '${String(type)}'`)
    kinds.set(column, kind)
  }
  if (version) kinds.set('version', 'number')
  if (softDelete) kinds.set('deletedAt', 'date')
  if (timestamps) kinds.set('createdAt', 'date').set('updatedAt', 'date')
  const isManaged = (column: string): boolean => MANAGED.has(column) || (version && column === 'version')
  const assignable = new Set([...kinds.keys()].filter((column) => !isManaged(column)))
  return {
    model: name,
    name: tableName,
    kinds,
    columns: [...kinds.keys()].map((column) => `${tableName}.${column}`),
    limits,
    assignable,
    timestamps,
    softDelete,
    version,
  }
}

/**
 * The declared columns among the values, as the database takes them. Others are ignored (mass assignment).
 *
 * @throws {HttpError} 422 if the values are not an object: a request's body may be null, a list or a number.
 */
export const toCells = (table: Table, values: object, dialect: DialectName): Record<string, unknown> => {
  if (!isObject(values)) throw refusal(422, `${table.model}: expected an object`, { code: 'invalid_column' })
  const cells: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || !table.assignable.has(name)) continue
    const cell = toColumn(name, table.kinds.get(name) ?? 'string', value, dialect)
    const limit = table.limits.get(name)
    cells[name] = limit && cell !== null ? limit(name, cell) : cell
  }
  return cells
}

/**
 * Convert the cells of the rows to model values, in place: a second object for each row would be a third of the time of
 * a search. The outer loop is over the columns, so that the reader of a column is looked up once.
 */
export const readRows = <R extends Record<string, unknown>>(table: Table, rows: R[], dialect: DialectName): R[] => {
  for (const [name, kind] of table.kinds) {
    const { read, plainType } = KINDS[kind]
    for (const row of rows as Record<string, unknown>[]) {
      const cell = row[name]
      if (typeof cell !== plainType && cell !== null && cell !== undefined) row[name] = read(cell, dialect)
    }
  }
  return rows
}

/** The plugin for {@link readRows}. */
export const rowReader = (table: Table, dialect: DialectName): KyselyPlugin => ({
  transformQuery: ({ node }): RootOperationNode => node,
  transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => ({
    ...result,
    rows: readRows(table, result.rows, dialect),
  }),
})
