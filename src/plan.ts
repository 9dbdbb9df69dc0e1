import type { Handler, Middleware } from './context.ts'
import { normalizePattern } from './internal/route/pattern.ts'
import type { Plan, PlannedRoute, Steps } from './plan-types.ts'
import type { AddRoute, Use } from './step-types.ts'

export type { Plan, PlannedRoute, Steps, ToRoutes } from './plan-types.ts'
export type { AddRoute, Use } from './step-types.ts'

/** A plan without anything. */
export const blank: Plan<{}, any, never> = { uses: [], routes: [] }

/**
 * Add middleware for every request, in order. Middleware for some paths goes through `at`.
 *
 * @throws {TypeError} for anything that is not a function.
 * @example
 * pipe(blank, use(cors(), logger()), use(at('/admin/*', bearerAuth({ verify }))), toFetch)
 */
export const use: Use = (...middleware: readonly unknown[]): never => {
  const added = middleware.map(checked)
  return ((plan: Plan) => ({ ...plan, uses: [...plan.uses, ...added] })) as never
}

/**
 * Add a route, with middleware of its own before the handler.
 *
 * @param method upper case; `*` is every method
 * @throws {TypeError} for a path that is not a pattern, and for anything that is not a function.
 * @example
 * pipe(blank, route('GET', '/users/:id', (ctx) => text(ctx.params.id)), toFetch)
 */
export const route: AddRoute = (method: string, path: string, ...steps: readonly unknown[]): never => {
  const planned = toRoute(method, path, steps as Steps)
  return ((plan: Plan) => ({ ...plan, routes: [...plan.routes, planned] })) as never
}

/** What {@link route} adds, checked. */
export const toRoute = (method: string, path: string, steps: Steps): PlannedRoute => {
  const middleware = steps.map(checked)
  return {
    method,
    path: normalizePattern(path),
    handler: checked(middleware.pop()) as unknown as Handler,
    middleware: middleware as Middleware[],
  }
}

/** @throws {TypeError} for anything that is not a function. */
export const checked = <Step>(step: Step): Step => {
  if (typeof step !== 'function')
    throw new TypeError(`step: expected a handler or a middleware, got ${JSON.stringify(step)}`)
  return step
}
