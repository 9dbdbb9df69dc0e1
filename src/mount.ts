import type { Middleware } from './context.ts'
import { joinPaths, normalizePattern } from './internal/pattern.ts'
import { blank, type Plan, type PlannedRoute } from './plan.ts'
import { rescoped, scoped } from './scope.ts'

/**
 * Add another plan's routes below a prefix. Its middleware stays with these routes.
 *
 * @example
 * pipe(blank, mount('/api', api), toFetch)
 */
export const mount = (
  prefix: string,
  mounted: Plan<any, any>,
): (<Known extends object, Env>(plan: Plan<Known, Env>) => Plan<Known, Env>) => {
  const added = routesBelow(prefix, mounted)
  return ({ uses, routes }) => ({ uses, routes: [...routes, ...added] })
}

/**
 * Add routes below a prefix: `build` gets a plan of its own, whose middleware stays inside.
 *
 * @example
 * pipe(blank, group('/admin', (admin) => pipe(admin, use(guard), route('GET', '/', handler))), toFetch)
 */
export const group = <Known extends object, Env>(
  prefix: string,
  build: (plan: Plan<Known, Env>) => Plan<any, any>,
): ((plan: Plan<Known, Env>) => Plan<Known, Env>) => mount(prefix, build(blank as Plan<any, any>))

/** A plan's routes with a prefix before their paths, and its middleware around their own. */
export const routesBelow = (prefix: string, { uses, routes }: Plan<any, any>): PlannedRoute[] => {
  const head = normalizePattern(`${prefix}/`)
  const below = (path: string): string => joinPaths(head, path)
  const around: Middleware[] = uses.map(({ path, step }) => scoped({ path: path && below(path), step }))
  return routes.map((route) => ({
    ...route,
    path: below(route.path),
    middleware: [...around, ...route.middleware.map((step) => rescoped(step, below))],
  }))
}
