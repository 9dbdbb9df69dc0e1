import { type Field, parseFields } from '../fields/fields.ts'
import { relatedModel } from '../fields/relations.ts'
import type { KindInput } from '../kinds/kind.ts'
import { checkOf, migrationPath, planMigration } from '../kinds/migration.ts'
import type { ModelTable } from '../models/models.ts'
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
  const shared = mergeTables(models)
  const missing = differences.filter((each) => each.state === 'missing' && !isConstrained(models, each))
  const tables = shared.filter(({ table }) => missing.some((each) => each.table === table && each.column === undefined))
  const planned: PlannedFile[] = []
  for (const model of parentsFirst(root, tables)) planned.push(createTable(root, model, planned))
  for (const model of shared) {
    const columns = new Set(missing.flatMap(({ table, column }) => (table === model.table && column ? [column] : [])))
    if (columns.size > 0) planned.push(addColumns(root, model, [...columns], planned))
  }
  return planned
}

/** Merge the models that share a table. Columns that only some of them declare become optional. */
const mergeTables = (models: readonly ModelTable[]): readonly ModelTable[] => {
  const groups = [...new Set(models.map(({ table }) => table))].map((table) =>
    models.filter((each) => each.table === table),
  )
  return groups.flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    const fields = new Map<string, Field>()
    for (const field of group.flatMap((model) => model.fields)) {
      const isShared = group.every((model) => model.columns.has(field.column))
      const before = fields.get(field.column)
      const optional = before?.optional || field.optional || !isShared
      // Two models may know different values of one column: then the database takes any
      const literals = before === undefined || before.literals === field.literals ? field.literals : undefined
      fields.set(field.column, { ...field, ...before, optional, literals })
    }
    const columns = new Map(group.flatMap((model) => [...model.columns]))
    const merged = {
      ...first,
      columns,
      timestamps: group.every(({ timestamps }) => timestamps),
      softDelete: group.some(({ softDelete }) => softDelete),
      version: group.every(({ version }) => version),
      unique: group.flatMap(({ unique }) => unique),
    }
    // Set by one model itself, and unknown to another.
    const own = ['version', 'created_at', 'updated_at'].flatMap((column) => {
      const isWritten = fields.has(column) || (column === 'version' ? merged.version : merged.timestamps)
      const kind = columns.get(column)?.kind
      if (kind === undefined || isWritten) return []
      return parseFields(`own:${kind === 'date' ? 'date' : 'integer'}?`).map((field) => ({ ...field, column }))
    })
    return [{ ...merged, fields: [...fields.values(), ...own] }]
  })
}

/** Keys, and columns that are unique or refer to a table: databases differ in how they are added to a table. */
export const isConstrained = (models: readonly ModelTable[], { state, table, column, unique }: Difference): boolean =>
  state === 'missing' &&
  (unique !== undefined ||
    models.some(
      (model) =>
        model.table === table &&
        model.fields.some((field) => field.column === column && (field.unique || field.relation !== undefined)),
    ))

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
  { table, fields: declared, columns, version }: ModelTable,
  names: readonly string[],
  planned: readonly PlannedFile[],
): PlannedFile => {
  const several = names.length > 3 ? ['columns'] : [names.join('_and_')]
  const input = inputOf(root, ['add', ...several, 'to', table], table)
  const fields = names.map((column) => ({
    column,
    sql: columns.get(column)?.sql ?? "'text'",
    // Existing rows would have no value, and could not be updated.
    check: checkOf(declared.find((field) => field.column === column) ?? { column }),
    more: version && column === 'version' ? '(column) => column.notNull().defaultTo(1)' : '',
  }))
  const contents = renderTemplate(root, 'migration', { change: 'add', table, fields })
  return { path: migrationPath(input, input.name.snake, planned), contents }
}

const inputOf = (root: string, words: readonly string[], table: string): KindInput => ({
  root,
  name: parseName(toPascal(splitWords(words.join('_'))).slice(0, 100)),
  fields: [],
  typed: [],
  many: [],
  unique: [],
  isDefined: false,
  flags: new Set(),
  table,
  id: 'int',
  now: new Date(),
})
