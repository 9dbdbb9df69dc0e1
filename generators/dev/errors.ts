import type { RouteInfo } from '../../src/list-routes.ts'
import { renderErrorPage } from './error-page.ts'
import type { Inspector } from './inspector/inspector.ts'
import { isLocal } from './local.ts'
import { addReload, RELOAD_PATH, type Reload } from './reload.ts'
import { type Place, type Step, type TracedPlan, tracePlan } from './trace.ts'

/** The part of an application that development needs. */
export interface DevApplication {
  readonly plan: TracedPlan
  readonly basePath: string
  readonly container: DevContainer
  readonly routes: () => readonly RouteInfo[]
  readonly use: (middleware: Step) => unknown
  readonly ready?: () => Promise<void>
  readonly listen: (options: { port: number; hostname: string }, callback: (port: number) => void) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** The part of its container that development needs. */
export interface DevContainer {
  readonly bindings: ReadonlyMap<string, { readonly lifetime: { readonly name: string } }>
  readonly has: (name: string) => boolean
  readonly make: (name: string) => unknown
}

/** The part of a context that development needs. */
export interface DevContext {
  readonly request: Request
  readonly onResponse: (edit: readonly string[] | ((response: Response) => Response | undefined)) => void
}

/** Options of {@link watchErrors}. */
export interface WatchOptions {
  /** Folder of the project. The page shows only sources below it. */
  readonly root: string
  /** Address of the client. @default unknown, which is treated as this machine */
  readonly addressOf?: (ctx: object) => string | undefined
  /** `at` of the project's sluice. @default middleware for some paths is traced on every path */
  readonly place?: Place
  /** Sees every request, and responds to those for itself. @default none */
  readonly inspector?: Inspector
  /** Reloads the pages of a browser when the application has restarted. @default none */
  readonly reload?: Reload
}

/**
 * Let an application respond to errors that become a 5xx with a page about the error, for requests of this machine. The
 * application's own error handling runs first; other responses are not changed.
 */
export const watchErrors = (app: DevApplication, options: WatchOptions): void => {
  const { root, addressOf = () => undefined, place, inspector, reload } = options
  const { uses } = app.plan
  const trace = tracePlan(app.plan, place)
  const page: Step = function sluiceDev(ctx, next) {
    const context = ctx as DevContext
    const { request } = context
    // A keep-alive connection would continue to use the process that was replaced.
    if (!request.headers.has('upgrade')) context.onResponse(['connection', 'close'])
    const local = isLocal(request, addressOf(ctx))
    const own = local && (reload?.answer(request) ?? inspector?.answer(request, addressOf(ctx)))
    if (own) return own
    const record = inspector?.begin(request)
    // The edit that is registered first runs last, so it sees the final response.
    context.onResponse((response) => {
      const failure = trace.failureOf(ctx)
      if (record) inspector?.end(record, request, response, trace.visitsOf(ctx), failure)
      if (!local) return undefined
      const hasScript = reload !== undefined && request.method === 'GET'
      if (failure === undefined || response.status < 500) return hasScript ? addReload(request, response) : undefined
      return renderErrorPage(failure, request, response.status, root, hasScript ? RELOAD_PATH : undefined)
    })
    return (next as () => unknown)()
  }
  uses.unshift(page)
  // A plan is compiled once. Adding a step makes it compile again.
  app.use(passing)
}

const passing: Step = function sluiceDevEnd(_ctx, next) {
  return (next as () => unknown)()
}
