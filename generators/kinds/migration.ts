import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { usageError } from '../errors.ts'
import { type Field, parseFields } from '../fields/fields.ts'
import { relatedModel } from '../fields/relations.ts'
import { fieldsOfKeys } from '../fields/unique-keys.ts'
import { parseName, splitWords, tableOf, toPascal } from '../names/names.ts'
import type { PlannedFile } from '../project/write.ts'
import { renderTemplate } from '../render.ts'
import { commonVariables, type Kind, type KindInput } from './kind.ts'

/** The folder of the migrations. */
export const MIGRATIONS = 'src/database/migrations'

/** A change of the schema: `src/database/migrations/<timestamp>_<snake_case_name>.ts`. */
export const migration: Kind = {
  name: 'migration',
  suffix: '',
  templates: ['migration'],
  plan: (input) => {
    if (input.name.folders.length > 0) throw usageError('A migration takes a name without folders')
    return { files: [planMigration(input)], advice: [] }
  },
}

/** The file of a migration. It runs after the migrations that are planned with it. */
export const planMigration = (input: KindInput, planned: readonly PlannedFile[] = []): PlannedFile => {
  const change = readIntent(input)
  assertTable(change.table)
  const contents = renderTemplate(input.root, 'migration', {
    ...commonVariables(input),
    ...change,
    fields: change.fields.map((field) => ({ ...field, check: checkOf(field) })),
    ...constraintsOf(input, change.table, change.fields),
  })
  return { path: migrationPath(input, input.name.snake, planned), contents }
}

/** The migration that creates the table of a model. */
export const tableMigration = (input: KindInput): PlannedFile => {
  const words = splitWords(input.table).map((word) => word.toLowerCase())
  return planMigration({ ...input, name: parseName(`Create${toPascal(words)}Table`) })
}

/** The path of a migration: that of the existing one with this name, else a path that sorts after all others. */
export const migrationPath = (input: KindInput, snake: string, planned: readonly PlannedFile[] = []): string => {
  const same = existing(input).find((file) => file.endsWith(`_${snake}.ts`))
  return `${MIGRATIONS}/${same ?? `${freeTimestamp(input, planned)}_${snake}.ts`}`
}

/** The change that the name describes: `CreateUsersTable`, `AddAgeToUsers`, `RemoveAgeFromUsers`; else none. */
const readIntent = ({ name, fields, table, flags }: KindInput) => {
  const words = splitWords(name.pascal).map((word) => word.toLowerCase())
  const extras = {
    softDelete: flags.has('soft-delete'),
    timestamps: !flags.has('no-timestamps'),
    lock: flags.has('lock'),
  }
  const namedTable = table === name.table ? undefined : table
  const [verb, ...rest] = words
  if (verb === 'create' && rest.length > 0) {
    const noun = rest.at(-1) === 'table' && rest.length > 1 ? rest.slice(0, -1) : rest
    return { change: 'create', table: namedTable ?? tableOf(noun), fields, ...extras }
  }
  const joint = rest.lastIndexOf(verb === 'add' ? 'to' : 'from')
  if ((verb === 'add' || verb === 'remove') && joint > 0 && joint < rest.length - 1) {
    const noun = rest.slice(joint + 1)
    const columns = fields.length > 0 ? fields : columnsOf(rest.slice(0, joint))
    assertPlain(columns)
    return {
      change: verb,
      table: namedTable ?? tableOf(noun.at(-1) === 'table' && noun.length > 1 ? noun.slice(0, -1) : noun),
      fields: columns,
      ...extras,
    }
  }
  return { change: 'none', table: namedTable ?? '', fields, ...extras }
}

/** Refuse columns that cannot be added or dropped in the same way on all databases: SQLite cannot drop them. */
const assertPlain = (fields: readonly Field[]): void => {
  const special = fields.find(({ unique, index, relation }) => unique || index || relation !== undefined)
  if (special === undefined) return
  throw usageError(
    `${special.name}: columns that are unique, indexed or refer to a table are only generated with a new table; ` +
      'to add one to an existing table, generate an empty migration and write it yourself',
  )
}

/** Constraints and indexes with explicit names, so that a later migration can drop them. */
const constraintsOf = ({ root, unique }: KindInput, table: string, fields: readonly Field[]) => {
  const named = (field: Field, ending: string) => ({
    name: identifier(`${table}_${field.column}_${ending}`),
    column: field.column,
    optional: field.optional,
    cascade: field.cascade,
    table: field.relation === undefined ? '' : relatedModel(root, field.relation.model).table,
  })
  const referring = fields.filter(({ relation }) => relation !== undefined)
  return {
    uniques: [...fields.filter((field) => field.unique).map((field) => [field]), ...fieldsOfKeys(unique, fields)].map(
      (key) => {
        const columns = key.map(({ column }) => column)
        return { name: identifier(`${table}_${columns.join('_')}_unique`), columns }
      },
    ),
    foreigns: referring.map((field) => named(field, 'foreign')),
    indexes: fields.filter((field) => field.index || referring.includes(field)).map((field) => named(field, 'index')),
  }
}

/**
 * The call that has the database refuse other values of an enum; empty for other types. It belongs to the column,
 * because SQLite cannot drop a column that a constraint of the table names.
 */
export const checkOf = ({ column, literals }: Pick<Field, 'column' | 'literals'>): string =>
  literals === undefined ? '' : `.check(sql\`\${sql.ref('${column}')} in (${literals})\`)`

/** Longest name that PostgreSQL does not truncate, in bytes; MySQL allows one more. */
const MAX_NAME_LENGTH = 63

/**
 * Refuse a table whose name PostgreSQL would truncate.
 *
 * @throws {CliError} with exit code 2
 */
export const assertTable = (table: string): void => {
  if (table.length <= MAX_NAME_LENGTH) return
  throw usageError(
    `The table ${table} has ${table.length} characters, at most ${MAX_NAME_LENGTH} are allowed: use --table`,
  )
}

/** A name for a constraint that no database truncates. */
export const identifier = (name: string): string =>
  name.length <= MAX_NAME_LENGTH
    ? name
    : `${name.slice(0, 54)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`

/** `first`, `name`, `and`, `age` to the columns `first_name` and `age`. */
const columnsOf = (words: readonly string[]): readonly Field[] => {
  const columns = words.join('_').split('_and_')
  return parseFields(columns.map((column) => `${column}:string?`).join(','))
}

const existing = ({ root }: KindInput): string[] => {
  const folder = join(root, MIGRATIONS)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** The current second in UTC, or the next free one, so that names sort in the order of generation. */
const freeTimestamp = (input: KindInput, planned: readonly PlannedFile[]): string => {
  const files = [...existing(input), ...planned.map(({ path }) => basename(path))]
  const taken = new Set(files.map((file) => file.slice(0, TIMESTAMP_LENGTH)))
  let moment = input.now.getTime()
  while (taken.has(timestamp(new Date(moment)))) moment += 1000
  return timestamp(new Date(moment))
}

const TIMESTAMP_LENGTH = '2024_11_17_100000'.length

const timestamp = (moment: Date): string => {
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T')
  return `${date.replaceAll('-', '_')}_${time.replaceAll(':', '')}`
}
