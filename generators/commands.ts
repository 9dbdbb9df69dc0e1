import type { CommandSpec, OptionSpec } from './command.ts'

const DRY_RUN: OptionSpec = { name: 'dry-run', describe: 'Show what would be done, and do nothing' }
const FORCE: OptionSpec = { name: 'force', letter: 'f', describe: 'Replace files that have other contents' }
const JSON_OUTPUT: OptionSpec = { name: 'json', describe: 'Answer with one JSON object' }
const FIELDS: OptionSpec = {
  name: 'fields',
  value: 'list',
  describe: 'Columns, as name:string,age:integer? (string, text, integer, number, boolean, date)',
}
const TABLE: OptionSpec = {
  name: 'table',
  value: 'name',
  describe: 'Table (default: plural of the name, in snake case)',
}
const APP: OptionSpec = {
  name: 'app',
  value: 'file',
  describe: 'Module that exports the application (default: src/app.ts)',
}
const PRODUCTION: OptionSpec = { name: 'force', letter: 'f', describe: 'Needed when NODE_ENV is production' }
const URL_OPTION: OptionSpec = {
  name: 'url',
  value: 'url',
  describe: 'Database (default: DATABASE_URL of the environment or of .env)',
}

/** Every command, as the help lists them. The code of each is loaded when it runs. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'new',
    args: ['<project>'],
    describe: 'Start a project in a new folder',
    options: [
      { name: 'template', letter: 't', value: 'name', describe: 'default, api or minimal (default: default)' },
      {
        name: 'db',
        letter: 'd',
        value: 'name',
        describe: 'sqlite, postgres, mysql or none (default: sqlite; none for minimal)',
      },
      {
        name: 'package-manager',
        letter: 'p',
        value: 'name',
        describe: 'npm, pnpm, yarn or bun (default: the one that runs this)',
      },
      { name: 'no-git', describe: 'Make no git repository' },
      { name: 'no-install', describe: 'Install no packages' },
      { name: 'yes', letter: 'y', describe: 'Ask nothing, take the defaults' },
      DRY_RUN,
      JSON_OUTPUT,
    ],
    examples: ['new blog', 'new shop --template api --db postgres'],
    load: async () => (await import('./commands/new.ts')).newProject,
  },
  {
    name: 'generate',
    alias: 'g',
    args: ['<kind>', '<Name>'],
    describe: 'Write a model, controller, middleware, migration, validator, service or resource',
    options: [
      TABLE,
      { name: 'soft-delete', describe: 'Model, migration: rows are marked as deleted and kept' },
      { name: 'no-timestamps', describe: 'Model, migration: no createdAt and updatedAt' },
      { name: 'resource', describe: 'Controller: index, show, store, update, destroy' },
      { name: 'api', describe: 'Controller: the same with validation and pages' },
      { name: 'id', value: 'type', describe: 'Validator: uuid or int (default: uuid)' },
      FIELDS,
      DRY_RUN,
      FORCE,
      JSON_OUTPUT,
    ],
    examples: [
      'generate model User --soft-delete',
      'g controller admin/User --api',
      'g resource Post --fields title:string,body:text?',
    ],
    load: async () => (await import('./commands/generate.ts')).generate,
  },
  {
    name: 'eject',
    args: ['<kind>'],
    describe: 'Copy the templates of a kind to templates/, to make them your own',
    options: [DRY_RUN, FORCE, JSON_OUTPUT],
    examples: ['eject controller'],
    load: async () => (await import('./commands/eject.ts')).eject,
  },
  {
    name: 'dev',
    args: [],
    describe: 'Serve the application and start it anew on every change',
    options: [
      { name: 'port', letter: 'p', value: 'number', describe: 'Port (default: PORT of the environment, else 3000)' },
      { name: 'host', letter: 'H', value: 'name', describe: 'Address to listen on (default: localhost)' },
      APP,
    ],
    examples: ['dev', 'dev --port 8080 --host 0.0.0.0'],
    load: async () => (await import('./commands/dev.ts')).dev,
  },
  {
    name: 'test',
    args: [],
    describe: 'Run the tests below test/ with the test runner of the runtime',
    options: [],
    examples: ['test'],
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    name: 'db:migrate',
    args: [],
    describe: 'Run the migrations that have not run yet',
    options: [{ name: 'to', value: 'name', describe: 'Stop behind this migration' }, DRY_RUN, URL_OPTION, JSON_OUTPUT],
    examples: ['db:migrate', 'db:migrate --dry-run'],
    load: async () => (await import('./commands/db.ts')).dbMigrate,
  },
  {
    name: 'db:rollback',
    args: [],
    describe: 'Take back the newest migration, or more',
    options: [
      { name: 'step', value: 'number', describe: 'How many (default: 1)' },
      { name: 'all', describe: 'All of them' },
      DRY_RUN,
      PRODUCTION,
      URL_OPTION,
      JSON_OUTPUT,
    ],
    examples: ['db:rollback', 'db:rollback --step 3'],
    load: async () => (await import('./commands/db.ts')).dbRollback,
  },
  {
    name: 'db:status',
    args: [],
    describe: 'List the migrations, run and waiting',
    options: [URL_OPTION, JSON_OUTPUT],
    examples: ['db:status'],
    load: async () => (await import('./commands/db.ts')).dbStatus,
  },
  {
    name: 'db:fresh',
    args: [],
    describe: 'Drop every table and run all migrations',
    options: [{ name: 'seed', describe: 'Seed afterwards' }, PRODUCTION, URL_OPTION, JSON_OUTPUT],
    examples: ['db:fresh --seed'],
    load: async () => (await import('./commands/db.ts')).dbFresh,
  },
  {
    name: 'db:seed',
    args: [],
    describe: 'Run the seeds of src/database/seeds',
    options: [PRODUCTION, URL_OPTION, JSON_OUTPUT],
    examples: ['db:seed'],
    load: async () => (await import('./commands/db.ts')).dbSeed,
  },
  {
    name: 'routes',
    args: [],
    describe: 'List the routes: method, path, handler, middleware',
    options: [APP, JSON_OUTPUT],
    examples: ['routes', 'routes --json'],
    load: async () => (await import('./commands/routes.ts')).routes,
  },
  {
    name: 'request',
    args: ['<METHOD>', '<path>'],
    describe: 'Send one request to the application, in this process',
    options: [
      { name: 'data', letter: 'd', value: 'body', describe: 'Body; JSON gets its content type' },
      { name: 'header', letter: 'H', value: 'field', describe: 'Header field, as "name: value"; may be repeated' },
      { name: 'include', letter: 'i', describe: 'Show status and header fields as well' },
      APP,
    ],
    examples: ['request GET /users', `request POST /users -d '{"name":"Ada"}'`],
    load: async () => (await import('./commands/request.ts')).request,
  },
  {
    name: 'size',
    args: ['[entry]'],
    describe: 'Show what each imported feature costs in the bundle of an entry',
    options: [
      {
        name: 'budget',
        value: 'bytes',
        describe: 'Most bytes, gzip; above it the exit code is 1 (default: sluice-size.json)',
      },
      { name: 'runtime', value: 'name', describe: 'Conditions to bundle for: edge, node, bun or deno (default: edge)' },
      JSON_OUTPUT,
    ],
    examples: ['size', 'size src/worker.ts --budget 12000'],
    load: async () => (await import('./commands/size.ts')).size,
  },
  {
    name: 'info',
    args: [],
    describe: 'Show versions of sluice, the runtime and what the project has installed',
    options: [JSON_OUTPUT],
    examples: ['info'],
    load: async () => (await import('./commands/info.ts')).info,
  },
]
