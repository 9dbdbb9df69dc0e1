import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '../kinds/migration.ts'
import { tableOfModel } from '../models/model-fields.ts'
import type { PlannedFile, WrittenFile } from './write.ts'

/**
 * The command that brings the database up to the files that were just written; nothing if no table is new.
 *
 * @param outcome What happened to the files, in the same order.
 */
export const nextStep = (
  root: string,
  files: readonly PlannedFile[],
  outcome: readonly WrittenFile[],
): readonly string[] => {
  const made = files.filter((_, index) => outcome[index]?.action === 'create')
  const migration = made.find(({ path }) => path.startsWith(MIGRATIONS))
  if (migration) {
    const parents = Array.from(migration.contents.matchAll(REFERENCE), ([, table = '']) => table)
    const parent = parents.find((table) => migrationOfTable(root, table) === undefined)
    const first = `write a migration that creates ${parent} and sorts before ${migration.path}; then `
    return [`Next: ${parent ? first : ''}npx sluice db:migrate`]
  }
  const table = tableOfModel(made.find(({ path }) => path.startsWith('src/app/models/'))?.contents)
  if (table === undefined || migrationOfTable(root, table) !== undefined) return []
  return [`Next: npx sluice db:diff --write, which writes the migration of the table ${table}`]
}

/** The table in `addForeignKeyConstraint('posts_author_id_foreign', ['author_id'], 'users', ['id'])`. */
const REFERENCE = /\],\s*['"`](\w+)['"`],\s*\[['"`]id['"`]\]/g

/** The migration of the project that creates a table. */
export const migrationOfTable = (root: string, table: string): PlannedFile | undefined => {
  const folder = join(root, MIGRATIONS)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.ts')) : []
  return files
    .map((file) => ({ path: `${MIGRATIONS}/${file}`, contents: readFileSync(join(folder, file), 'utf8') }))
    .find(({ contents }) => new RegExp(`createTable\\(\\s*['"\`]${table}['"\`]`).test(contents))
}
