import type { CommandSpec } from '../../command.ts'
import { APP } from '../options.ts'

export const openapiSpec: CommandSpec = {
  name: 'openapi',
  args: [],
  describe: 'Print the OpenAPI document of the application',
  options: [
    { name: 'out', value: 'file', describe: 'Write it to a file' },
    { name: 'check', value: 'file', describe: 'Compare it with a file; the exit code is 4 if they differ' },
    APP,
  ],
  examples: ['openapi --out openapi.json', 'openapi --check openapi.json'],
  load: async () => (await import('./run.ts')).openapi,
}
