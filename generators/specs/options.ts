import type { OptionSpec } from '../command.ts'

export const APP: OptionSpec = {
  name: 'app',
  value: 'file',
  describe: 'Module that exports the application (default: src/app.ts)',
}
export const DRY_RUN: OptionSpec = { name: 'dry-run', describe: 'Show what would be done, and do nothing' }
export const FORCE: OptionSpec = { name: 'force', letter: 'f', describe: 'Replace files that have other contents' }
export const JSON_OUTPUT: OptionSpec = { name: 'json', describe: 'Answer with one JSON object' }
