import type { CommandSpec } from '../../command.ts'
import { JSON_OUTPUT } from '../options.ts'

export const buildSpec: CommandSpec = {
  name: 'build',
  args: ['[entry]'],
  describe: 'Bundle the application into one file for Node, Bun, Deno or Workers',
  options: [
    { name: 'target', letter: 't', value: 'name', describe: 'node, bun, deno or workers (default: node)' },
    { name: 'out', letter: 'o', value: 'folder', describe: 'Folder of the file and its source map (default: build)' },
    { name: 'minify', describe: 'Minify the code, including names' },
    JSON_OUTPUT,
  ],
  examples: ['build', 'build src/worker.ts --target workers --minify'],
  load: async () => (await import('./run.ts')).build,
}
