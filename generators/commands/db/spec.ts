import type { CommandSpec, OptionSpec } from '../../command.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from '../options.ts'

const PRODUCTION: OptionSpec = { name: 'force', letter: 'f', describe: 'Needed when NODE_ENV is production' }
const URL_OPTION: OptionSpec = {
  name: 'url',
  value: 'url',
  describe: 'Database (default: DATABASE_URL of the environment or of .env)',
}
const folderOf = (kind: string): OptionSpec => ({
  name: 'folder',
  value: 'path',
  describe: `Folder of the ${kind} (default: src/database/${kind}, else dist/database/${kind})`,
})
const FOLDER = folderOf('migrations')

/** Commands over migrations and seeds. */
export const databaseSpecs: readonly CommandSpec[] = [
  {
    name: 'db:create',
    args: [],
    describe: 'Create the database on its server',
    options: [URL_OPTION, JSON_OUTPUT],
    examples: ['db:create'],
    load: async () => (await import('./create.ts')).dbCreate,
  },
  {
    name: 'db:migrate',
    args: [],
    describe: 'Run the migrations that have not run yet',
    options: [
      { name: 'to', value: 'name', describe: 'Stop after this migration' },
      FOLDER,
      DRY_RUN,
      URL_OPTION,
      JSON_OUTPUT,
    ],
    examples: ['db:migrate', 'db:migrate --dry-run', 'db:migrate --folder build/migrations'],
    load: async () => (await import('./run.ts')).dbMigrate,
  },
  {
    name: 'db:rollback',
    args: [],
    describe: 'Roll back the latest migration, or more',
    options: [
      { name: 'step', value: 'number', describe: 'How many (default: 1)' },
      { name: 'all', describe: 'All of them' },
      FOLDER,
      DRY_RUN,
      PRODUCTION,
      URL_OPTION,
      JSON_OUTPUT,
    ],
    examples: ['db:rollback', 'db:rollback --step 3'],
    load: async () => (await import('./run.ts')).dbRollback,
  },
  {
    name: 'db:status',
    args: [],
    describe: 'List the migrations, executed and pending',
    options: [FOLDER, URL_OPTION, JSON_OUTPUT],
    examples: ['db:status'],
    load: async () => (await import('./run.ts')).dbStatus,
  },
  {
    name: 'db:diff',
    args: [],
    describe: 'Compare the models with the database; --write writes the missing migration',
    options: [
      { name: 'write', describe: 'Write migrations for tables and columns that are missing' },
      FOLDER,
      DRY_RUN,
      FORCE,
      URL_OPTION,
      JSON_OUTPUT,
    ],
    examples: ['db:diff', 'db:diff --write'],
    load: async () => (await import('./diff.ts')).dbDiff,
  },
  {
    name: 'db:fresh',
    args: [],
    describe: 'Drop every table and run all migrations',
    options: [{ name: 'seed', describe: 'Seed afterwards' }, FOLDER, PRODUCTION, URL_OPTION, JSON_OUTPUT],
    examples: ['db:fresh --seed'],
    load: async () => (await import('./run.ts')).dbFresh,
  },
  {
    name: 'db:seed',
    args: [],
    describe: 'Run the seeds of src/database/seeds',
    options: [folderOf('seeds'), PRODUCTION, URL_OPTION, JSON_OUTPUT],
    examples: ['db:seed'],
    load: async () => (await import('./run.ts')).dbSeed,
  },
]
