import type { CommandSpec } from '../../command.ts'
import { DRY_RUN, JSON_OUTPUT } from '../options.ts'

export const newSpec: CommandSpec = {
  name: 'new',
  args: ['<project>'],
  describe: 'Start a project in a new folder',
  options: [
    { name: 'template', letter: 't', value: 'name', describe: 'default, api or minimal (default: default)' },
    {
      name: 'db',
      letter: 'd',
      value: 'name',
      describe: 'sqlite, postgres, mysql or none (default: sqlite; none for minimal, workers, lambda, fly)',
    },
    {
      name: 'package-manager',
      letter: 'p',
      value: 'name',
      describe: 'npm, pnpm, yarn or bun (default: the one that runs this)',
    },
    { name: 'deploy', value: 'name', describe: 'Add the files for docker, workers, lambda or fly' },
    { name: 'from', value: 'file', describe: 'Routes, schemas and tests of an OpenAPI 3 document: JSON or YAML' },
    { name: 'no-git', describe: 'Do not create a git repository' },
    { name: 'no-install', describe: 'Do not install packages' },
    { name: 'yes', letter: 'y', describe: 'Ask no questions, use the defaults' },
    DRY_RUN,
    JSON_OUTPUT,
  ],
  examples: [
    'new blog',
    'new shop --template api --db postgres',
    'new shop --deploy docker',
    'new pets --from openapi.json',
  ],
  load: async () => (await import('./run.ts')).newProject,
}
