import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { usageError } from '../errors.ts'
import type { Field } from '../fields.ts'
import { parseFields } from '../fields.ts'
import { splitWords, toSnake } from '../names.ts'
import { pluralize } from '../plural.ts'
import { relatedModel } from '../relations.ts'
import { renderTemplate } from '../render.ts'
import type { PlannedFile } from '../write.ts'
import { commonVariables, type Kind, type KindInput } from './kind.ts'

/** Where migrations live, and what `db:migrate` reads. */
export const MIGRATIONS = 'src/database/migrations'

/** A step of the schema: `src/database/migrations/<timestamp>_<snake_case_name>.ts`. */
export const migration: Kind = {
  name: 'migration',
  suffix: '',
  describe: 'a step of the database schema, up and down',
  templates: ['migration'],
  options: ['table', 'soft-delete', 'no-timestamps', 'lock', 'fields'],
  plan: (input) => [planMigration(input)],
}

/** The file of a migration that runs after those that are planned with it. */
export const planMigration = (input: KindInput, planned: readonly PlannedFile[] = []): PlannedFile => {
  const change = readIntent(input)
  const contents = renderTemplate(input.root, 'migration', {
    ...commonVariables(input),
    ...change,
    ...constraintsOf(input.root, change.table, change.fields),
  })
  return { path: migrationPath(input, input.name.snake, planned), contents }
}

/** The file of a step: the one that has the name already, else one that runs after those there, and those planned. */
export const migrationPath = (input: KindInput, snake: string, planned: readonly PlannedFile[] = []): string => {
  const same = existing(input).find((file) => file.endsWith(`_${snake}.ts`))
  return `${MIGRATIONS}/${same ?? `${freeTimestamp(input, planned)}_${snake}.ts`}`
}

/** What the name asks for: `CreateUsersTable`, `AddAgeToUsers`, `RemoveAgeFromUsers`; else an empty step. */
const readIntent = ({ name, fields, table, flags }: KindInput) => {
  const words = splitWords(name.pascal).map((word) => word.toLowerCase())
  const extras = {
    softDelete: flags.has('soft-delete'),
    timestamps: !flags.has('no-timestamps'),
    lock: flags.has('lock'),
  }
  const given = table === name.table ? undefined : table
  const [verb, ...rest] = words
  if (verb === 'create' && rest.length > 0) {
    const noun = rest.at(-1) === 'table' && rest.length > 1 ? rest.slice(0, -1) : rest
    return { change: 'create', table: given ?? tableOf(noun), fields, ...extras }
  }
  const joint = rest.lastIndexOf(verb === 'add' ? 'to' : 'from')
  if ((verb === 'add' || verb === 'remove') && joint > 0 && joint < rest.length - 1) {
    const noun = rest.slice(joint + 1)
    const columns = fields.length > 0 ? fields : columnsOf(rest.slice(0, joint))
    assertPlain(columns)
    return {
      change: verb,
      table: given ?? tableOf(noun.at(-1) === 'table' && noun.length > 1 ? noun.slice(0, -1) : noun),
      fields: columns,
      ...extras,
    }
  }
  return { change: 'none', table: given ?? '', fields, ...extras }
}

/** Databases differ in how such a column is added and taken back: SQLite drops none of them. */
const assertPlain = (fields: readonly Field[]): void => {
  const special = fields.find(({ unique, index, relation }) => unique || index || relation !== undefined)
  if (special === undefined) return
  throw usageError(
    `${special.name}: columns that are unique, indexed or refer to a table come with "create table"; ` +
      'to add one to a table that is there, write an empty migration of your own',
  )
}

/** Constraints and indexes by names of their own, so that a later migration can take them back. */
const constraintsOf = (root: string, table: string, fields: readonly Field[]) => {
  const named = (field: Field, ending: string) => ({
    name: identifier(`${table}_${field.column}_${ending}`),
    column: field.column,
    optional: field.optional,
    table: field.relation === undefined ? '' : relatedModel(root, field.relation.model).table,
  })
  const referring = fields.filter(({ relation }) => relation !== undefined)
  return {
    uniques: fields.filter(({ unique }) => unique).map((field) => named(field, 'unique')),
    foreigns: referring.map((field) => named(field, 'foreign')),
    indexes: fields.filter((field) => field.index || referring.includes(field)).map((field) => named(field, 'index')),
  }
}

/** Longest name that PostgreSQL keeps whole, in bytes; MySQL takes one more. */
const LONGEST_NAME = 63

/** A name for a constraint that every database keeps whole. */
export const identifier = (name: string): string =>
  name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, 54)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`

/** The plural of the last word, so that `CreateUserTable` and `CreateUsersTable` mean the same table. */
const tableOf = (words: readonly string[]): string => toSnake([...words.slice(0, -1), pluralize(words.at(-1) ?? '')])

/** `first`, `name`, `and`, `age` to the columns `first_name` and `age`. */
const columnsOf = (words: readonly string[]): readonly Field[] => {
  const columns = words.join('_').split('_and_')
  return parseFields(columns.map((column) => `${column}:string?`).join(','))
}

const existing = ({ root }: KindInput): string[] => {
  const folder = join(root, MIGRATIONS)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** The second of generation in UTC, or the first free one behind it: names sort in the order they were made. */
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
