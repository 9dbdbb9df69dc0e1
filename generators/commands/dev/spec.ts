import type { CommandSpec } from '../../command.ts'
import { APP } from '../options.ts'

export const devSpec: CommandSpec = {
  name: 'dev',
  args: [],
  describe: 'Serve the application and restart it on every change',
  options: [
    { name: 'port', letter: 'p', value: 'number', describe: 'Port (default: PORT of the environment, else 3000)' },
    { name: 'host', letter: 'H', value: 'name', describe: 'Address to listen on (default: localhost)' },
    APP,
  ],
  examples: ['dev', 'dev --port 8080 --host 0.0.0.0'],
  load: async () => (await import('./run.ts')).dev,
}
