import type { Awaitable } from '../context.ts'
import { describedBy, toLine, warnOf } from '../internal/openapi/mismatch.ts'
import type { AnyPlan } from '../plan.ts'
import { createRouter } from '../router.ts'

/**
 * A check for `testClient`: throws if a response does not match the `describe` of its route. The route is found by the
 * path of the request. Applications without a plan, such as a plain function, and those whose middleware rewrites paths
 * are not checked.
 *
 * @throws {Error} with method, path, status and what is wrong, in one line
 * @example
 * const visitor = testClient(app, { check: asDescribed(app) }) // as without the option
 */
export const asDescribed = (app: unknown): ((response: Response, request: Request) => Awaitable<void>) => {
  let known = 0
  let find: ReturnType<typeof routesOf> | undefined
  return async (response, { method, url }) => {
    const { plan, basePath = '' } = app as { readonly plan?: AnyPlan; readonly basePath?: string }
    // A response to HEAD is a response to GET without its body
    if (!plan || method === 'HEAD' || plan.uses.some(({ rewrites }) => rewrites)) return
    // Routes may have been added since
    if (plan.routes.length !== known) find = routesOf(plan)
    known = plan.routes.length
    const path = new URL(url).pathname
    const responses = path.startsWith(basePath) ? find?.(method, path.slice(basePath.length) || '/') : undefined
    if (responses) await warnOf(responses, { onMismatch: refuse })(response, { method, path })
  }
}

const refuse = (mismatch: Parameters<typeof toLine>[0]): never => {
  throw new Error(toLine(mismatch))
}

/** Finds the described responses for a request. */
const routesOf = ({ routes }: AnyPlan) => {
  const router = createRouter(routes.map((route) => ({ ...route, value: describedBy(route.middleware) })))
  return (method: string, path: string): Readonly<Record<string, unknown>> | undefined => {
    try {
      return router.find(method, path)?.value
    } catch {
      // A malformed path matches no route
      return undefined
    }
  }
}
