import type { CommandSpec } from '../../command.ts'

export const testSpec: CommandSpec = {
  name: 'test',
  args: ['[file...]'],
  describe: 'Run the tests below test/, or these files; what follows -- is for the test runner of the runtime',
  passesOn: true,
  options: [],
  examples: ['test', 'test test/user.test.ts', 'test -- --test-name-pattern=login'],
  load: async () => (await import('./run.ts')).test,
}
