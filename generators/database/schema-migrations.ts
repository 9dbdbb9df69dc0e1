import { relatedModel } from '../fields/relations.ts'
import type { KindInput } from '../kinds/kind.ts'
import { checkOf, migrationPath, planMigration } from '../kinds/migration.ts'
import type { ModelColumn, ModelTable } from '../models/models.ts'
import { parseName, splitWords, toPascal } from '../names/names.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import type { Difference } from './schema-diff.ts'

/** Migrations for what is missing: one per table, then one for the columns of each table. Nothing is dropped. */
export const planMissing = (
  root: string,
  models: readonly ModelTable[],
  differences: readonly Difference[],
): readonly PlannedFile[] => {
  const missing = differences.filter((each) => each.state === 'missing' && !isConstrained(models, each))
  const tables = models.filter(({ table }) => missing.some((each) => each.table === table && each.column === undefined))
  const planned: PlannedFile[] = []
  for (const model of parentsFirst(root, tables)) planned.push(createTable(root, model, planned))
  for (const model of models) {
    const columns = new Set(missing.flatMap(({ table, column }) => (table === model.table && column ? [column] : [])))
    if (columns.size > 0) planned.push(addColumns(root, model, [...columns], planned))
  }
  return planned
}

/**
 * What is left to the user: keys, and columns that are unique or refer to a table, since databases differ in how they
 * are added to a table; and tables that models share, each of which knows a part.
 */
export const isConstrained = (models: readonly ModelTable[], { state, table, column, unique }: Difference): boolean => {
  const tableModels = models.filter((model) => model.table === table)
  const fields = tableModels.flatMap((model) => model.fields).filter((field) => field.column === column)
  const isBound = fields.some((field) => field.unique || field.relation !== undefined)
  return state === 'missing' && (unique !== undefined || tableModels.length > 1 || isBound)
}

/** The columns that are added without a value for existing rows, although the model requires one. */
export const columnsToFill = (models: readonly ModelTable[], differences: readonly Difference[]): readonly string[] =>
  differences
    .filter((each) => each.state === 'missing' && !isConstrained(models, each))
    .flatMap(({ table, column = '' }) => {
      const added = models.find((model) => model.table === table)?.columns.get(column)
      return added?.isRequired && defaultOf(added) === '' ? [`${table}.${column}`] : []
    })

/**
 * The calls that give existing rows the default of a required column; empty without one, and for what is not a literal
 * of SQL. MySQL has no default for JSON, and for a text without a length.
 */
const defaultOf = ({ isRequired, sql, fallback }: Partial<ModelColumn> = {}): string =>
  isRequired &&
  !/^'(text|json)'$/.test(`${sql}`) &&
  (/^(string|boolean)$/.test(typeof fallback) || Number.isFinite(fallback))
    ? `.notNull().defaultTo(${JSON.stringify(fallback)})`
    : ''

/** A table is created before the tables that refer to it. */
const parentsFirst = (root: string, models: readonly ModelTable[]): readonly ModelTable[] => {
  const sorted = new Set<ModelTable>()
  const visit = (model: ModelTable, above: readonly ModelTable[]): void => {
    if (above.includes(model)) return
    for (const { relation } of model.fields) {
      const table = relation && relatedModel(root, relation.model).table
      for (const other of models) if (other.table === table) visit(other, [...above, model])
    }
    sorted.add(model)
  }
  for (const model of models) visit(model, [])
  return [...sorted]
}

const createTable = (root: string, model: ModelTable, planned: readonly PlannedFile[]): PlannedFile => {
  const { fields, table, softDelete, timestamps, version, unique } = model
  const switches = { 'soft-delete': softDelete, 'no-timestamps': !timestamps, lock: version }
  const flags = new Set(Object.entries(switches).flatMap(([flag, on]) => (on ? [flag] : [])))
  return planMigration({ ...inputOf(root, ['create', table, 'table'], table), fields, flags, unique }, planned)
}

const addColumns = (
  root: string,
  { table, fields: declared, columns }: ModelTable,
  names: readonly string[],
  planned: readonly PlannedFile[],
): PlannedFile => {
  const several = names.length > 3 ? ['columns'] : [names.join('_and_')]
  const input = inputOf(root, ['add', ...several, 'to', table], table)
  const fields = names.map((column) => ({
    column,
    sql: columns.get(column)?.sql ?? "'text'",
    fill: defaultOf(columns.get(column)),
    check: checkOf(declared.find((field) => field.column === column) ?? { column }),
  }))
  const contents = renderTemplate(root, 'migration', { change: 'add', table, fields })
  return { path: migrationPath(input, input.name.snake, planned), contents }
}

const inputOf = (root: string, words: readonly string[], table: string): KindInput => ({
  root,
  name: parseName(toPascal(splitWords(words.join('_'))).slice(0, 100)),
  fields: [],
  typed: [],
  unique: [],
  isDefined: false,
  flags: new Set(),
  table,
  id: 'int',
  now: new Date(),
})
