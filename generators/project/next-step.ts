import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MIGRATIONS } from '../kinds/migration.ts'
import { tableOfModel } from '../models/model-fields.ts'
import { stripsTypes } from './loader.ts'
import type { PlannedFile, WrittenFile } from './write.ts'

/**
 * The command that brings the database up to the files that were just written, and before it the steps for a project
 * without a database; nothing if no table is new.
 *
 * @param outcome What happened to the files, in the same order.
 */
export const nextStep = (
  root: string,
  files: readonly PlannedFile[],
  outcome: readonly WrittenFile[],
): readonly string[] => {
  const steps = stepsFor(root, files, outcome)
  return steps.length === 0 || hasDatabase(root) ? steps : [...SETUP, ...steps]
}

/** False for a project of the template `minimal`, or one made with `--db none`. */
const hasDatabase = (root: string): boolean => {
  const manifest = join(root, 'package.json')
  // Its text, since a file that is not JSON is no reason to fail here
  const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''
  return !/"sluice"\s*:/.test(text) || /"kysely"\s*:/.test(text) || existsSync(join(root, 'src/database.ts'))
}

/** What a project lacks that was made without a database; the same as `sluice new` writes. */
const SETUP: readonly string[] = [
  'This project has no database. For SQLite:',
  `  npm install kysely${stripsTypes() ? '' : ' @photostructure/sqlite'}`,
  '  In .env: DATABASE_URL=sqlite:./database.sqlite',
  "  In src/database.ts, which src/app.ts imports with import './database.ts':",
  "    import { createDatabase, setDatabase } from 'sluice/database'",
  "    import { env, loadEnv } from 'sluice/env'",
  '    loadEnv()',
  "    setDatabase(createDatabase(env('DATABASE_URL', 'sqlite:./database.sqlite')))",
]

const stepsFor = (root: string, files: readonly PlannedFile[], outcome: readonly WrittenFile[]): readonly string[] => {
  const made = files.filter((_, index) => outcome[index]?.action === 'create')
  const migrations = made.filter(({ path }) => path.startsWith(MIGRATIONS))
  const created = tablesOf(root, migrations)
  const model = made.find(({ path }) => path.startsWith('src/app/models/'))
  if (migrations.length === 0) {
    const table = tableOfModel(model?.contents)
    const isNew = table !== undefined && !created.has(table)
    return isNew ? [`Next: npx sluice db:diff --write, which writes the migration of the table ${table}`] : []
  }
  const orphan = migrations
    .flatMap(({ path, contents }) => referred(contents).map((table) => ({ path, table })))
    .find(({ table }) => !created.has(table))
  if (orphan === undefined) return ['Next: npx sluice db:migrate']
  const { path, table } = orphan
  return [
    `No migration creates the table ${table}, which ${basename(path)} refers to. Unless the database has it, ` +
      'write a migration for it whose file name sorts before. Then: npx sluice db:migrate',
  ]
}

/** The tables that the migrations of the project, and those that were planned, create. */
const tablesOf = (root: string, planned: readonly PlannedFile[]): ReadonlySet<string> =>
  new Set([...migrationsOf(root), ...planned].flatMap(createdBy))

/** The migration of the project that creates a table. */
export const migrationOfTable = (root: string, table: string): PlannedFile | undefined =>
  migrationsOf(root).find((file) => createdBy(file).includes(table))

const migrationsOf = (root: string): readonly PlannedFile[] => {
  const folder = join(root, MIGRATIONS)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.ts')) : []
  return files.map((file) => ({ path: `${MIGRATIONS}/${file}`, contents: readFileSync(join(folder, file), 'utf8') }))
}

const createdBy = ({ contents }: PlannedFile): readonly string[] =>
  [...contents.matchAll(/createTable\(\s*['"`](\w+)/g)].map(([, table = '']) => table)

/** The tables that the foreign keys of a generated migration refer to. */
const referred = (migration: string): readonly string[] =>
  [...migration.matchAll(/['"`](\w+)['"`],\s*\[['"`]id['"`]\]/g)].map(([, table = '']) => table)
