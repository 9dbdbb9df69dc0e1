import type { CommandSpec } from './command.ts'
import { DATABASE_COMMANDS } from './specs/database.ts'
import { GENERATE_COMMANDS } from './specs/generate.ts'
import { INSPECT_COMMANDS } from './specs/inspect.ts'
import { PROJECT_COMMANDS } from './specs/project.ts'

/** Every command, in the order of the help. The code of a command is loaded when it runs. */
export const COMMANDS: readonly CommandSpec[] = [
  ...PROJECT_COMMANDS.slice(0, 1),
  ...GENERATE_COMMANDS,
  ...PROJECT_COMMANDS.slice(1),
  ...DATABASE_COMMANDS,
  ...INSPECT_COMMANDS,
]
