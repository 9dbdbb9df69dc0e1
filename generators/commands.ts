import type { CommandSpec } from './command.ts'
import { buildSpec } from './commands/build/spec.ts'
import { compileSpec } from './commands/compile/spec.ts'
import { databaseSpecs } from './commands/db/spec.ts'
import { devSpec } from './commands/dev/spec.ts'
import { ejectSpec } from './commands/eject/spec.ts'
import { generateSpec } from './commands/generate/spec.ts'
import { infoSpec } from './commands/info/spec.ts'
import { newSpec } from './commands/new/spec.ts'
import { openapiSpec } from './commands/openapi/spec.ts'
import { requestSpec } from './commands/request/spec.ts'
import { routesSpec } from './commands/routes/spec.ts'
import { sizeSpec } from './commands/size/spec.ts'
import { testSpec } from './commands/test/spec.ts'

/** Every command, in the order of the help. The code of a command is loaded when it runs. */
export const COMMANDS: readonly CommandSpec[] = [
  newSpec,
  generateSpec,
  ejectSpec,
  devSpec,
  buildSpec,
  testSpec,
  ...databaseSpecs,
  routesSpec,
  openapiSpec,
  requestSpec,
  compileSpec,
  sizeSpec,
  infoSpec,
]
