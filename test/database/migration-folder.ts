import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Database } from '../../src/database/connect.ts'

/** Where a migration outside of this project finds Kysely. */
export const KYSELY: string = import.meta.resolve('kysely')

let loads = 0

/** Imports a file anew each time: a test edits files, and a module is loaded once only. */
export const loadAnew = (file: string): Promise<unknown> => {
  loads += 1
  return import(/* @vite-ignore */ `${pathToFileURL(file).href}?${loads}`)
}

/** A folder of migration files that a test writes. */
export interface MigrationFolder {
  readonly path: string
  readonly write: (name: string, text: string) => Promise<void>
  readonly read: (name: string) => Promise<string>
  readonly remove: (name?: string) => Promise<void>
}

export const createMigrationFolder = async (files: Readonly<Record<string, string>> = {}): Promise<MigrationFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  const write = (name: string, text: string): Promise<void> => writeFile(join(path, name), text)
  for (const [name, text] of Object.entries(files)) await write(name, text)
  return {
    path,
    write,
    read: (name) => readFile(join(path, name), 'utf8'),
    remove: (name) => rm(name === undefined ? path : join(path, name), { recursive: true, force: true }),
  }
}

/** The text of a migration that makes a table and drops it. */
export const createTable = (table: string, before = ''): string => `
export const up = async (schema, db) => {
  ${before}
  await schema.createTable('${table}').addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()).execute()
}
export const down = (schema) => schema.dropTable('${table}').execute()
`

/** Every table with its columns, but for those that migrations keep for themselves. */
export const schemaOf = async (db: Database): Promise<Record<string, string[]>> => {
  const tables = await db.introspection.getTables()
  const own = tables.filter(({ name }) => !/^(kysely|sluice)_migration/.test(name))
  return Object.fromEntries(own.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]))
}
