import type { CommandSpec } from '../command.ts'
import { APP, DRY_RUN, JSON_OUTPUT } from './options.ts'

/** Commands that begin a project and run it. */
export const PROJECT_COMMANDS: readonly CommandSpec[] = [
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
        describe: 'sqlite, postgres, mysql or none (default: sqlite; none for minimal, workers, lambda, fly)',
      },
      {
        name: 'package-manager',
        letter: 'p',
        value: 'name',
        describe: 'npm, pnpm, yarn or bun (default: the one that runs this)',
      },
      { name: 'deploy', value: 'name', describe: 'Add the files for docker, workers, lambda or fly' },
      { name: 'from', value: 'file', describe: 'Routes, schemas and tests of an OpenAPI 3 document: JSON or YAML' },
      { name: 'no-git', describe: 'Do not create a git repository' },
      { name: 'no-install', describe: 'Do not install packages' },
      { name: 'yes', letter: 'y', describe: 'Ask no questions, use the defaults' },
      DRY_RUN,
      JSON_OUTPUT,
    ],
    examples: [
      'new blog',
      'new shop --template api --db postgres',
      'new shop --deploy docker',
      'new pets --from openapi.json',
    ],
    load: async () => (await import('../commands/new.ts')).newProject,
  },
  {
    name: 'dev',
    args: [],
    describe: 'Serve the application and restart it on every change',
    options: [
      { name: 'port', letter: 'p', value: 'number', describe: 'Port (default: PORT of the environment, else 3000)' },
      { name: 'host', letter: 'H', value: 'name', describe: 'Address to listen on (default: localhost)' },
      APP,
    ],
    examples: ['dev', 'dev --port 8080 --host 0.0.0.0'],
    load: async () => (await import('../commands/dev.ts')).dev,
  },
  {
    name: 'build',
    args: ['[entry]'],
    describe: 'Bundle the application into one file for Node, Bun, Deno or Workers',
    options: [
      { name: 'target', letter: 't', value: 'name', describe: 'node, bun, deno or workers (default: node)' },
      { name: 'out', letter: 'o', value: 'folder', describe: 'Folder of the file and its source map (default: build)' },
      { name: 'minify', describe: 'Minify the code, including names' },
      { name: 'compile', describe: 'Compile the schemas of validators and schema modules ahead of time' },
      JSON_OUTPUT,
    ],
    examples: ['build', 'build src/worker.ts --target workers --minify'],
    load: async () => (await import('../commands/build.ts')).build,
  },
  {
    name: 'test',
    args: [],
    describe: 'Run the tests below test/ with the test runner of the runtime',
    options: [],
    examples: ['test'],
    load: async () => (await import('../commands/test.ts')).test,
  },
]
