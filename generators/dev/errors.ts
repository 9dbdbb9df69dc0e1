import type { DevApplication, DevContext, DevStep, PlaceStep } from './application.ts'
import { renderErrorPage } from './error-page.ts'
import type { Inspector } from './inspector/inspector.ts'
import { isLocal } from './local.ts'
import { recordQueries } from './queries.ts'
import { addReload, RELOAD_PATH, type Reload } from './reload.ts'
import { tracePlan } from './trace.ts'

/** Options of {@link watchErrors}. */
export interface WatchOptions {
  /** Folder of the project. The page shows only sources below it. */
  readonly root: string
  /** Address of the client. @default unknown, which is treated as this machine */
  readonly addressOf?: (ctx: object) => string | undefined
  /** `at` of the project's sluice. @default middleware for some paths is traced on every path */
  readonly place?: PlaceStep
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
  const page: DevStep = function sluiceDev(ctx, next) {
    const context = ctx as DevContext
    const { request } = context
    // A keep-alive connection would continue to use the process that was replaced.
    if (!request.headers.has('upgrade')) context.onResponse(['connection', 'close'])
    const local = isLocal(request, addressOf(ctx))
    const answer = local && (reload?.answer(request) ?? inspector?.answer(request, addressOf(ctx)))
    if (answer) return answer
    const record = inspector?.begin(request)
    // The edit that is registered first runs last, so it sees the final response.
    context.onResponse((response) => {
      const failure = trace.failureOf(ctx)
      const sent = (record && inspector?.end(record, request, response, trace.visitsOf(ctx), failure)) ?? response
      if (!local) return sent
      const hasScript = reload !== undefined && request.method === 'GET'
      if (failure === undefined || response.status < 500)
        return (hasScript ? addReload(request, sent) : undefined) ?? sent
      return renderErrorPage(failure, request, response.status, root, hasScript ? RELOAD_PATH : undefined)
    })
    const proceed = next as () => unknown
    return record ? recordQueries(record.queries, proceed) : proceed()
  }
  uses.unshift(page)
  // A plan is compiled once. Adding a step makes it compile again.
  app.use(passing)
}

const passing: DevStep = function sluiceDevEnd(_ctx, next) {
  return (next as () => unknown)()
}
