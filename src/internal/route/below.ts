import type { Middleware } from '../types/context.ts'
import type { Plan, PlannedRoute } from '../types/plan.ts'
import { joinPaths, normalizePattern } from './pattern.ts'
import { moved } from './placed.ts'

/** A plan's routes with a prefix before their paths, and its middleware around their own. */
export const routesBelow = (
  prefix: string,
  { uses, routes }: Pick<Plan<any, any>, 'uses' | 'routes'>,
): PlannedRoute[] => {
  const head = normalizePattern(`${prefix}/`)
  const below = (path: string): string => joinPaths(head, path)
  const around: Middleware[] = uses.map((middleware) => moved(middleware, below))
  return routes.map((route) => ({
    ...route,
    // A parameter of the prefix may have the name of one in the path, which is refused
    path: normalizePattern(below(route.path)),
    middleware: [...around, ...route.middleware.map((middleware) => moved(middleware, below))],
  }))
}
