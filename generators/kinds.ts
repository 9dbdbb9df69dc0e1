import { controller } from './kinds/controller.ts'
import type { Kind } from './kinds/kind.ts'
import { middleware } from './kinds/middleware.ts'
import { migration } from './kinds/migration.ts'
import { model } from './kinds/model.ts'
import { service } from './kinds/service.ts'
import { validator } from './kinds/validator.ts'

/** The six kinds, as the help lists them. */
export const KINDS: readonly Kind[] = [model, controller, middleware, migration, validator, service]
