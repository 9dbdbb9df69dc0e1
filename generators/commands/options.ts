import type { OptionSpec } from '../command.ts'

export const APP: OptionSpec = {
  name: 'app',
  value: 'file',
  describe: 'Module that exports the application (default: src/app.ts)',
}
export const DRY_RUN: OptionSpec = { name: 'dry-run', describe: 'Show what would be done, without doing it' }
export const FORCE: OptionSpec = {
  name: 'force',
  letter: 'f',
  describe: 'Overwrite files that have different contents',
}
export const JSON_OUTPUT: OptionSpec = { name: 'json', describe: 'Print the result as JSON' }
