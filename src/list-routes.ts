import type { Middleware } from './context.ts'
import { joinPaths } from './internal/route/pattern.ts'
import type { MiddlewareAt } from './internal/route/placed.ts'
import type { AnyPlan } from './plan.ts'

/** A registered route, as tools show it. */
export interface RouteInfo {
  /** Upper case; `*` is every method. */
  readonly method: string
  /** Full pattern, with the prefixes of groups and `basePath`. */
  readonly path: string
  /** Name of the handler function, `''` for an anonymous one. */
  readonly handler: string
  /**
   * Names of the middleware around it, outermost first, including global middleware: `cors`, `guard /admin/*` if it has
   * a path.
   */
  readonly middleware: readonly string[]
  /** True if an earlier route has the same method and an equivalent path, so this one is never reached. */
  readonly duplicate: boolean
}

/**
 * The routes of a plan in the order of registration.
 *
 * @example
 * listRoutes(app.plan).filter((route) => route.duplicate)
 */
export const listRoutes = (plan: AnyPlan, basePath = ''): RouteInfo[] => {
  const seen = new Set<string>()
  const global = plan.uses.map(nameOf)
  return plan.routes.map(({ method, path: plain, handler, middleware, show }) => {
    const path = show ? show(plain) : plain
    // Routes that differ only in the names of parameters, or in a trailing slash, are the same
    const shape = `${method} ${path.replace(/(?<=\/[:*])[\w-]+|(?<=.)\/$/g, '')}`
    const duplicate = seen.has(shape)
    seen.add(shape)
    const names = [...global, ...middleware.map(nameOf)]
    return { method, path: joinPaths(basePath, path), handler: handler.name, middleware: names, duplicate }
  })
}

const nameOf = (middleware: Middleware): string => {
  const { name, pattern } = middleware as MiddlewareAt
  return pattern ? `${name} ${pattern}` : name
}
