import type { CommandSpec } from '../../command.ts'
import { JSON_OUTPUT } from '../options.ts'

export const sizeSpec: CommandSpec = {
  name: 'size',
  args: ['[entry]'],
  describe: 'Show what each imported feature costs in the bundle of an entry',
  options: [
    { name: 'budget', value: 'bytes', describe: 'Maximum gzip size in bytes; above it the exit code is 1' },
    JSON_OUTPUT,
  ],
  examples: ['size', 'size src/worker.ts --budget 12000'],
  load: async () => (await import('./run.ts')).size,
}
