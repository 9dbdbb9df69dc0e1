import { auth } from './kinds/auth.ts'
import { controller } from './kinds/controller.ts'
import { factory } from './kinds/factory.ts'
import type { Kind } from './kinds/kind.ts'
import { middleware } from './kinds/middleware.ts'
import { migration } from './kinds/migration.ts'
import { model } from './kinds/model.ts'
import { provider } from './kinds/provider.ts'
import { resource } from './kinds/resource.ts'
import { seed } from './kinds/seed.ts'
import { service } from './kinds/service.ts'
import { validator } from './kinds/validator.ts'

/** The kinds, in the order of the help. */
export const KINDS: readonly Kind[] = [
  model,
  controller,
  middleware,
  migration,
  validator,
  service,
  factory,
  seed,
  provider,
  auth,
  resource,
]
