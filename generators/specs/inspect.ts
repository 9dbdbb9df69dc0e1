import type { CommandSpec } from '../command.ts'
import { APP, JSON_OUTPUT } from './options.ts'

/** Commands that look into an application. */
export const INSPECT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'routes',
    args: [],
    describe: 'List the routes: method, path, handler, middleware',
    options: [
      { name: 'explain', value: 'path', describe: 'Show the middleware and the route of one request, in order' },
      { name: 'method', value: 'name', describe: 'The method of that request (default: GET)' },
      APP,
      JSON_OUTPUT,
    ],
    examples: ['routes', 'routes --explain /users/7', 'routes --explain /users --method POST'],
    load: async () => (await import('../commands/routes.ts')).routes,
  },
  {
    name: 'openapi',
    args: [],
    describe: 'Print the OpenAPI document of the application',
    options: [
      { name: 'out', value: 'file', describe: 'Write it to a file' },
      { name: 'check', value: 'file', describe: 'Compare it with a file; the exit code is 4 if they differ' },
      APP,
    ],
    examples: ['openapi --out openapi.json', 'openapi --check openapi.json'],
    load: async () => (await import('../commands/openapi.ts')).openapi,
  },
  {
    name: 'request',
    args: ['<METHOD>', '<path>'],
    describe: 'Send one request to the application, in this process',
    explain: ([path], options) =>
      path?.startsWith('/')
        ? `The method is missing. Did you mean "sluice request ${options.has('data') ? 'POST' : 'GET'} ${path}"?`
        : undefined,
    options: [
      { name: 'data', letter: 'd', value: 'body', describe: 'Body; sent as JSON if it is JSON, or begins with { or [' },
      {
        name: 'header',
        letter: 'H',
        value: 'field',
        repeats: true,
        describe: 'Header field, as "name: value"; may be repeated',
      },
      { name: 'include', letter: 'i', describe: 'Also show the status and the headers' },
      APP,
    ],
    examples: ['request GET /users', `request POST /users -d '{"name":"Ada"}'`],
    load: async () => (await import('../commands/request.ts')).request,
  },
  {
    name: 'compile',
    args: ['<module>'],
    describe: 'Write the schemas that a module exports as plain code, which validates faster',
    options: [
      { name: 'out', value: 'file', describe: 'Output file (default: schemas.compiled.ts for schemas.ts)' },
      { name: 'from', value: 'specifier', describe: 'How the written module imports the schemas (default: its path)' },
      { name: 'check', describe: 'Write nothing; the exit code is 4 if the file is not up to date' },
      { name: 'report', describe: 'Write nothing; show what is compiled and what is left to the interpreter' },
      JSON_OUTPUT,
    ],
    examples: ['compile src/schemas.ts', 'compile src/schemas.ts --report'],
    load: async () => (await import('../commands/compile.ts')).compile,
  },
  {
    name: 'size',
    args: ['[entry]'],
    describe: 'Show what each imported feature costs in the bundle of an entry',
    options: [
      {
        name: 'budget',
        value: 'bytes',
        describe: 'Maximum gzip size in bytes; above it the exit code is 1 (default: sluice-size.json)',
      },
      { name: 'runtime', value: 'name', describe: 'Conditions to bundle for: edge, node, bun or deno (default: edge)' },
      JSON_OUTPUT,
    ],
    examples: ['size', 'size src/worker.ts --budget 12000'],
    load: async () => (await import('../commands/size.ts')).size,
  },
  {
    name: 'info',
    args: [],
    describe: 'Show the versions of sluice, the runtime and the installed packages',
    options: [JSON_OUTPUT],
    examples: ['info'],
    load: async () => (await import('../commands/info.ts')).info,
  },
]
