import type { Handler, Middleware } from '../types/context.ts'
import type { PlannedRoute, Steps } from '../types/plan.ts'
import { checked } from './checked.ts'
import { normalizePattern } from './pattern.ts'

/**
 * The route that `route` of `sluice/plan` adds. @throws {TypeError} for a bad path, and for a handler that is not a
 * function.
 */
export const toRoute = (method: string, path: string, steps: Steps): PlannedRoute => {
  const middleware = steps.map(checked)
  return {
    method,
    path: normalizePattern(path),
    handler: checked(middleware.pop()) as Handler,
    middleware: middleware as Middleware[],
  }
}
