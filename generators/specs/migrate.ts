import type { CommandSpec } from '../command.ts'
import { DRY_RUN, JSON_OUTPUT } from './options.ts'

/** The command that moves an application from another library. */
export const MIGRATE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'migrate',
    args: ['<library>', '[path...]'],
    describe: 'Move modules from Hono to sluice, and list what is left to do',
    explain: () => '<library> is missing: sluice migrate hono [path...]',
    options: [DRY_RUN, JSON_OUTPUT],
    examples: ['migrate hono', 'migrate hono src/routes --dry-run'],
    load: async () => (await import('../commands/migrate.ts')).migrate,
  },
]
