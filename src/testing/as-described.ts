import { compareResponse, describedBy, toLine } from '../internal/openapi/mismatch.ts'
import { isDecodable } from '../internal/route/pattern.ts'
import type { Awaitable } from '../internal/types/context.ts'
import type { AnyPlan } from '../kernel/plan.ts'
import { createRouter, type Router } from '../router.ts'

/**
 * A check for `testClient`: throws if a response does not match the `describe` of its route, and for a status from 500
 * on that the route does not describe. The route is found by the path of the request. Applications without a plan, such
 * as a plain function, and those whose middleware rewrites paths are not checked.
 *
 * @throws {Error} with method, path, status and what is wrong, in one line
 * @example
 * const visitor = testClient(app, { check: asDescribed(app) }) // as without the option
 */
export const asDescribed = (app: unknown): ((response: Response, request: Request) => Awaitable<void>) => {
  let routeCount = 0
  let router: Router<Steps> | undefined
  return async (response, { method, url }) => {
    const { plan, basePath = '' } = app as { readonly plan?: AnyPlan; readonly basePath?: string }
    // A response to HEAD is a response to GET without its body
    if (!plan || method === 'HEAD' || plan.uses.some(({ prepare }) => prepare)) return
    // Routes may have been added since
    if (plan.routes.length !== routeCount)
      router = createRouter(plan.routes.map((route) => ({ ...route, value: route.middleware })))
    routeCount = plan.routes.length
    const path = new URL(url).pathname
    const isBelow = path.startsWith(basePath) && isDecodable(path)
    const steps = (isBelow && router?.find(method, path.slice(basePath.length) || '/')?.value) || []
    const responses = describedBy(steps)
    const { status } = response
    if (status >= 500 && !isDescribed(responses, [...plan.uses, ...steps], status))
      throwLine(toLine({ method, path }, status, ['it is not described']))
    if (responses) await compareResponse(responses, response, { method, path }, throwLine)
  }
}

type Steps = Parameters<typeof describedBy>[0]

/** Whether the route describes a status from 500 on, or a middleware says that it sends it. */
const isDescribed = (responses: ReturnType<typeof describedBy>, steps: Steps, status: number): boolean =>
  [status, '5XX', 'default'].some((name) => responses?.[name] !== undefined) ||
  steps.some(({ describes }) => describes?.statuses?.includes(status))

const throwLine = (line: string): never => {
  throw new Error(line)
}
