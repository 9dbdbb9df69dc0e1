import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { importSluice, resolveFrom } from '../project/loader.ts'
import type { DevApplication, PlaceStep } from './application.ts'
import { watchErrors } from './errors.ts'
import { createInspector, INSPECTOR_PATH } from './inspector/inspector.ts'
import { watchQueries } from './queries.ts'
import { createReload } from './reload.ts'
import { storeCompiledCode, warmUp } from './warm-up.ts'

/** How long to wait, in milliseconds, for the port of the previous process. The first process has none to wait for. */
const PATIENCE_MS = 5000

/** Delay before the log says that the application is still starting, in milliseconds. */
const SLOW_MS = 3000

const SLOW = 'The application has not started yet: its module, an import or a provider waits, such as for a database.'

const LISTENS_ITSELF =
  'Does the module of the application call listen()? It exports the application, and sluice dev listens.'

/** Wait for a part of the start, and say so if it takes long. */
const patiently = async <T>(part: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => console.error(SLOW), SLOW_MS)
  return part.finally(() => clearTimeout(timer))
}

/**
 * The process that `sluice dev` starts: the application of `argv[2]` on PORT and HOST, with the error page.
 *
 * @param order `start`, or `restart` if a previous process may still have the port
 */
const serve = async (file: string, order: string): Promise<void> => {
  // The application may change the working directory.
  const root = process.cwd()
  const module: Record<string, unknown> = await patiently(import(pathToFileURL(file).href))
  const app = [module.app, module.default].find(isApplication)
  if (app === undefined) throw new TypeError(`${file} exports no application: export const app = createApp()`)
  const { clientAddress } = await importSluice(root, 'sluice/client-address')
  const { at } = await importSluice(root, 'sluice/pipe')
  const { PORT = '3000', HOST = 'localhost', NODE_ENV } = process.env
  // In production, the variables of `sluice dev` are removed, and neither errors nor requests are shown.
  const inspector =
    NODE_ENV === 'development'
      ? createInspector({ app, port: Number(PORT), host: HOST, load: (name) => importSluice(root, name) })
      : undefined
  const reload = NODE_ENV === 'production' ? undefined : createReload(randomUUID())
  watchErrors(app, {
    root,
    addressOf: clientAddress as (ctx: object) => string | undefined,
    place: at as PlaceStep,
    ...(inspector && { inspector }),
    ...(reload && { reload }),
  })
  await patiently(app.ready())
  if (inspector) await watchDatabase(root)
  await listen(app, Number(PORT), HOST, inspector !== undefined, order === 'restart' ? PATIENCE_MS : 0)
  storeCompiledCode()
  process.once('SIGTERM', () => {
    reload?.end()
    void app.close().finally(() => process.exit(0))
  })
}

/** The database that the application has set, if it has one. */
const watchDatabase = async (root: string): Promise<void> => {
  if (resolveFrom(root, 'kysely') === undefined) return
  try {
    const { useDatabase } = await importSluice(root, 'sluice/database')
    watchQueries(useDatabase())
  } catch {
    // There is none
  }
}

const isApplication = (candidate: unknown): candidate is DevApplication =>
  typeof (candidate as DevApplication | undefined)?.listen === 'function' &&
  typeof (candidate as DevApplication).use === 'function'

/** The replaced process closes its port first, and then finishes its requests. */
const listen = async (
  app: DevApplication,
  port: number,
  hostname: string,
  inspected: boolean,
  patienceMs: number,
): Promise<void> => {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      await app.listen({ port, hostname }, (bound) => {
        const host = hostname.includes(':') ? `[${hostname}]` : hostname
        const origin = `http://${host}:${bound}`
        const more = inspected ? `, requests and routes: ${origin}${INSPECTOR_PATH}` : ''
        console.log(`sluice dev: ${origin} (pid ${process.pid})${more}`)
      })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (Date.now() >= deadline) throw new Error(`Port ${port} is in use. ${LISTENS_ITSELF}`, { cause: error })
      await delay(10)
    }
  }
}

// The first line on standard input, `start 3000`, starts the application. Until then, the process only prepares.
const started = new Promise<string>((resolve) => process.stdin.once('data', (line) => resolve(String(line).trim())))
// The input ends when the supervisor has ended.
process.stdin.once('end', () => process.exit(0))
process.stdin.once('error', () => process.exit(0))
const stopWaiting = (): never => process.exit(0)
process.once('SIGTERM', stopWaiting)

try {
  const [order = '', port] = (await Promise.race([started, warmUp(process.cwd()).then(() => started)])).split(' ')
  process.removeListener('SIGTERM', stopWaiting)
  process.env.PORT = port
  await serve(process.argv[2] ?? '', order)
} catch (error) {
  console.error(error)
  process.exit(1)
}
