import type { CommandSpec } from '../../command.ts'
import { APP, JSON_OUTPUT } from '../options.ts'

export const routesSpec: CommandSpec = {
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
  load: async () => (await import('./run.ts')).routes,
}
