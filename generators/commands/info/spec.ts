import type { CommandSpec } from '../../command.ts'
import { JSON_OUTPUT } from '../options.ts'

export const infoSpec: CommandSpec = {
  name: 'info',
  args: [],
  describe: 'Show the versions of sluice, the runtime and the installed packages',
  options: [JSON_OUTPUT],
  examples: ['info'],
  load: async () => (await import('./run.ts')).info,
}
