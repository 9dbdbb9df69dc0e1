import type { CommandSpec } from '../../command.ts'
import { DRY_RUN, FORCE, JSON_OUTPUT } from '../options.ts'

export const ejectSpec: CommandSpec = {
  name: 'eject',
  args: ['<kind>'],
  describe: 'Copy the templates of a kind to templates/, to customise them',
  options: [DRY_RUN, FORCE, JSON_OUTPUT],
  examples: ['eject controller'],
  load: async () => (await import('./run.ts')).eject,
}
