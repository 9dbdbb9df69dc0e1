import type { CommandSpec } from '../../command.ts'

export const testSpec: CommandSpec = {
  name: 'test',
  args: [],
  describe: 'Run the tests below test/ with the test runner of the runtime',
  options: [],
  examples: ['test'],
  load: async () => (await import('./run.ts')).test,
}
