import type { Middleware } from '../types/context.ts'
import type { Plan, PlannedRoute } from '../types/plan.ts'
import { joinPaths, normalizePattern } from './pattern.ts'
import { moved } from './placed.ts'

/** A plan's routes with a prefix before their paths, wrapped in the plan's middleware. */
export const routesBelow = (
  prefix: string,
  { uses, routes }: Pick<Plan<any, any>, 'uses' | 'routes'>,
): PlannedRoute[] => {
  const head = normalizePattern(`${prefix}/`)
  const below = (path: string): string => joinPaths(head, path)
  const around: Middleware[] = uses.map((middleware) => moved(middleware, below))
  return routes.map((route) => ({
    ...route,
    // Throws if the prefix and the path have a parameter with the same name
    path: normalizePattern(below(route.path)),
    middleware: [...around, ...route.middleware.map((middleware) => moved(middleware, below))],
  }))
}
