import type { CommandSpec } from '../../command.ts'
import { JSON_OUTPUT } from '../options.ts'

export const compileSpec: CommandSpec = {
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
  load: async () => (await import('./run.ts')).compile,
}
