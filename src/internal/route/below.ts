import type { AnyMiddleware } from '../types/context.ts'
import type { PlannedRoute } from '../types/plan.ts'
import { joinPaths, normalizePattern } from './pattern.ts'
import { movedBelow } from './placed.ts'

/** A plan's routes with a prefix before their paths, wrapped in the plan's middleware. */
export const routesBelow = (
  prefix: string,
  routes: readonly PlannedRoute[],
  uses: readonly AnyMiddleware[] = [],
): PlannedRoute[] => {
  const head = normalizePattern(`${prefix}/`)
  const move = movedBelow(head)
  const around = uses.map(move)
  return routes.map((route) => ({
    ...route,
    // Throws if the prefix and the path have a parameter with the same name
    path: normalizePattern(joinPaths(head, route.path)),
    middleware: [...around, ...route.middleware.map(move)],
  }))
}
