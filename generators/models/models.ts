import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CliError, configError } from '../errors.ts'
import type { Field } from '../fields/fields.ts'
import type { UniqueKeys } from '../fields/unique-keys.ts'
import { splitWords, toSnake } from '../names/names.ts'
import { sourceOrBuild } from '../project/folders.ts'
import { importModule } from '../project/loader.ts'
import { fieldsOfModel, parseFirst } from './defined-model.ts'

/** The table that a model of the project declares. */
export interface ModelTable {
  readonly model: string
  readonly table: string
  /** Every column that the model reads, by its name in the database. */
  readonly columns: ReadonlyMap<string, ModelColumn>
  /** The entries of `columns`, for a migration that creates the table. */
  readonly fields: readonly Field[]
  /** Properties that are unique together. */
  readonly unique: UniqueKeys
  /** True for a model of `Model.define`, which declares its unique keys. */
  readonly isDefined: boolean
  readonly timestamps: boolean
  readonly softDelete: boolean
  readonly version: boolean
}

export interface ModelColumn {
  readonly kind: Kind
  /** Column type as source text. */
  readonly sql: string
  /** Every record has a value. @default false */
  readonly isRequired?: boolean
  /** What a new record gets if it receives no value. */
  readonly fallback?: unknown
}

/** The kinds that `static columns` may name. */
export type Kind = 'string' | 'email' | 'number' | 'boolean' | 'date' | 'json' | 'bytes'

/** The static side of a model. */
interface ModelSource {
  readonly name: string
  readonly tableName: string
  /** Kinds, or types such as `string(40)`, `integer` and `decimal(10, 2)`. */
  readonly columns?: Readonly<Record<string, string>>
  /** Those of `Model.define`, by the names of its fields. */
  readonly fields?: Readonly<Record<string, { readonly is: string; readonly spec: FieldSource }>>
  readonly unique?: UniqueKeys
  readonly timestamps?: boolean
  readonly softDelete?: boolean
  readonly version?: boolean
}

/** What a field of `Model.define` says about its values. */
interface FieldSource {
  readonly nullable?: boolean
  readonly unique?: boolean
  readonly fallback?: unknown
  readonly rule?: string
  readonly args?: readonly unknown[]
}

/** Types of the columns that a model manages itself. */
const INTEGER = { kind: 'number', sql: "'integer'" } as const
const DATE = { kind: 'date', sql: "'datetime(3)'" } as const

/** The folder of the models, in the sources and in a build. */
const FOLDERS: readonly string[] = ['src/app/models', 'dist/app/models']

/**
 * Import the models of a project, and read the tables that they declare.
 *
 * @throws {CliError} with exit code 3 if there is no folder of models, or a model cannot be loaded.
 */
export const readModels = async (root: string): Promise<readonly ModelTable[]> => {
  const folder = sourceOrBuild(root, FOLDERS)
  if (folder === undefined) throw configError(`There is neither ${FOLDERS.join(' nor ')} in ${root}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource).sort()
  // Several files may export a class: use the one that declares it.
  const models = new Map<ModelSource, string>()
  for (const file of files.map((each) => join(folder, each))) {
    const text = readFileSync(file, 'utf8')
    for (const value of Object.values(await load(root, file)))
      if (isModel(value) && (!models.has(value) || text.includes(`class ${value.name} `))) models.set(value, text)
  }
  return [...models].map(([source, text]) => tableOf(source, text))
}

const load = async (root: string, file: string): Promise<Record<string, unknown>> => {
  try {
    return await importModule(root, file)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw configError(`${relative(root, file)} cannot be loaded: ${(error as Error).message}`, error)
  }
}

/** True for modules, but not for declarations and tests. */
const isSource = (file: string): boolean => /\.[cm]?[jt]s$/.test(file) && !/\.(?:d|test|spec)\.[cm]?[jt]s$/.test(file)

const isModel = (value: unknown): value is ModelSource =>
  typeof value === 'function' && typeof (value as Partial<ModelSource>).tableName === 'string'

const tableOf = (source: ModelSource, text: string): ModelTable => {
  const { name, tableName, columns = {}, timestamps = false, softDelete = false, version = false } = source
  // A file may declare several models
  const written = fieldsOfModel(text.slice(text.indexOf(`class ${name} `)))
  const specOf = (column: string): FieldSource =>
    (source.fields?.[column] ?? source.fields?.[column.replace(/Id$/, '')])?.spec ?? { nullable: true }
  const declared = Object.entries(columns).map(
    ([column, type]) =>
      written.find((field) => field.name === column && field.kind === kindOf(type)) ??
      fieldOf(column, type, specOf(column)),
  )
  const entries = new Map<string, ModelColumn>([['id', INTEGER]])
  if (version) entries.set('version', { ...INTEGER, isRequired: true, fallback: 1 })
  if (softDelete) entries.set('deleted_at', DATE)
  for (const column of timestamps ? ['created_at', 'updated_at'] : [])
    entries.set(column, { ...DATE, isRequired: true })
  // A column that the model sets itself may also be declared: it is still one column.
  const fields = declared.filter(({ column }) => !entries.has(column))
  for (const { name: property, column, sql } of fields) {
    const { nullable = false, fallback } = source.fields?.[property]?.spec ?? { nullable: true }
    entries.set(column, { kind: kindOf(columns[property] ?? 'string'), sql, isRequired: !nullable, fallback })
  }
  const unique = (source.unique ?? []).map((key) =>
    key.map((each) => (source.fields?.[each]?.is === 'belongsTo' ? `${each}Id` : each)),
  )
  const isDefinition = source.fields !== undefined
  return {
    model: name,
    table: tableName,
    columns: entries,
    fields,
    unique,
    isDefined: isDefinition,
    timestamps,
    softDelete,
    version,
  }
}

/** The kind of a type: `string` of `string(40)`. */
const kindOf = (type: string): Kind => {
  const kind = type.replace(/\(.*$/, '')
  return (kind === 'integer' || kind === 'decimal' ? 'number' : kind) as Kind
}

/** A column that cannot be read from the text: `t.string(MAX)`, or one of `static columns`, which is optional. */
const fieldOf = (name: string, type: string, { nullable = false, unique = false, rule, args }: FieldSource): Field => {
  // Parsed under an allowed name, since `createdAt` may be a declared column too. The length of an address is fixed.
  const plain = type === 'bytes' ? 'text' : type.replace(/\(.*$/, '')
  const words = rule === 'enum' ? [`enum(${args})`, plain] : [rule ?? plain]
  const [field] = parseFirst(words.map((word) => `column:${word}`))
  if (field === undefined) throw new TypeError(`${type} is not a type`)
  const sized = /^(?:string|decimal)\(/.test(type) && field.literals === undefined
  const sql = type === 'bytes' ? "'blob'" : sized ? `'${type.replace('string', 'varchar')}'` : field.sql
  return { ...field, name, column: toSnake(splitWords(name)), optional: nullable, unique, sql }
}
