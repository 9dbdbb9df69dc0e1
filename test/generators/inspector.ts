import type { DevApplication } from '../../generators/dev/application.ts'
import { watchErrors } from '../../generators/dev/errors.ts'
import { createInspector } from '../../generators/dev/inspector/inspector.ts'
import { createReload } from '../../generators/dev/reload.ts'
import type { ImportSluice } from '../../generators/project/loader.ts'
import { clientAddress } from '../../src/client-address.ts'
import type { App } from '../../src/index.ts'
import { at } from '../../src/kernel/scope.ts'

/** Modules of sluice by their subpaths, as a project has them. */
const load = ((name: string) => import(`../../src/${name.replace('sluice/', '')}.ts`)) as ImportSluice

/** What stands around an application under `sluice dev`. Call what comes back before it is closed, as the process does. */
export const inspected = (
  app: App,
  {
    port = 0,
    env = { NODE_ENV: 'development' },
    addressOf = clientAddress,
    root = '/nowhere',
    started = 'one',
  } = {} as {
    port?: number
    env?: Record<string, string>
    addressOf?: (ctx: never) => string | undefined
    root?: string
    started?: string
  },
): (() => void) => {
  const dev = app as unknown as DevApplication
  const options = { root, addressOf: addressOf as () => string | undefined, place: at as never }
  const inspector = createInspector({ app: dev, port, load, env })
  const reload = createReload(started)
  watchErrors(dev, { ...options, inspector, reload })
  return reload.end
}
