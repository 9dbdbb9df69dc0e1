import type { CommandSpec } from '../../command.ts'
import { APP } from '../options.ts'

export const requestSpec: CommandSpec = {
  name: 'request',
  args: ['<METHOD>', '<path>'],
  describe: 'Send one request to the application, in this process',
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
  load: async () => (await import('./run.ts')).request,
}
