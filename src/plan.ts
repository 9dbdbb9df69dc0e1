import { checked } from './internal/route/checked.ts'
import { toRoute } from './internal/route/to-route.ts'
import type { Plan, Steps } from './internal/types/plan.ts'
import type { AddRoute, Use } from './internal/types/step.ts'

export type { AnyPlan, Plan, PlannedRoute, Steps, ToRoutes } from './internal/types/plan.ts'
export type { AddRoute, Use } from './internal/types/step.ts'

/** An empty plan. */
export const blank: Plan<{}, any, never> = { uses: [], routes: [] }

/**
 * Add middleware for every request, in order. For middleware that runs only for some paths, use `at`.
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
 * Add a route, with its own middleware before the handler.
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
