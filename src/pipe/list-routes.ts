import { joinPaths } from '../internal/route/pattern.ts'
import { middlewareOf } from '../kernel/compose.ts'
import { createLookUp, registeredRoutes, routeOf } from '../kernel/look-up.ts'
import type { AnyPlan, PlannedMiddleware, PlannedRoute } from '../kernel/plan.ts'
import { basePath } from '../kernel/scope.ts'

/** A registered route, as tools show it. */
export interface RouteInfo {
  /** Upper case; `*` is every method. */
  readonly method: string
  /** Full pattern, with the prefixes of groups and `basePath`. */
  readonly path: string
  /** Name of the handler function, `''` for an anonymous one. */
  readonly handler: string
  /** Names of all middleware around it, outermost first: `cors`, or `guard /admin/*` if that checks the path. */
  readonly middleware: readonly string[]
  /** True if an earlier route has the same method and an equivalent path: this one is never reached. */
  readonly duplicate: boolean
}

/** The functions that a request runs, in order. */
export interface RequestExplanation {
  readonly middleware: readonly PlannedMiddleware[]
  /** `GET /users/:id`; undefined if no handler of a route runs. */
  readonly route: string | undefined
  readonly handler: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * The routes of a plan in the order of registration.
 *
 * @example
 * listRoutes(app.plan).filter((route) => route.duplicate)
 */
export const listRoutes = (plan: AnyPlan, prefix = ''): RouteInfo[] => {
  const seenKeys = new Set<string>()
  return routesWithMiddleware(plan).map(({ route, middleware }) => {
    const path = shownPath(route)
    // Names of parameters, and a trailing slash, make no difference
    const shape = `${route.method} ${path.replace(/(?<=\/[:*])[\w-]+|(?<=.)\/$/g, '')}`
    const duplicate = seenKeys.has(shape)
    seenKeys.add(shape)
    const { method, handler } = route
    const names = middleware.map(nameOf)
    return { method, path: joinPaths(prefix, path), handler: handler.name, middleware: names, duplicate }
  })
}

/** Each route of a plan with the middleware in its chain, as it is composed, and what only describes it. */
export const routesWithMiddleware = (
  plan: Pick<AnyPlan, 'uses' | 'routes'>,
): { readonly route: PlannedRoute; readonly middleware: readonly PlannedMiddleware[] }[] =>
  registeredRoutes(plan).map((route) => ({ route, middleware: middlewareOf(plan.uses, route) }))

/**
 * List the functions that a request runs, without running them, and without `prepare`.
 *
 * @example
 * explainRequest(app.plan, 'GET', '/users/7').middleware.map(({ name }) => name) // ['cors', 'guard']
 */
export const explainRequest = (plan: AnyPlan, method: string, path: string, prefix = ''): RequestExplanation => {
  const prefixed = basePath(prefix)(plan)
  const { value: target, params = {} } = createLookUp(prefixed.routes).find({ method, path, header: () => null })
  const { plannedRoute } = target
  const route = routeOf(target)
  const around: readonly PlannedMiddleware[] = plannedRoute ? middlewareOf(prefixed.uses, plannedRoute) : prefixed.uses
  return {
    middleware: around.filter((step) => step['~matches']?.(path) ?? true),
    route: route && `${route.method} ${shownPath(route)}`,
    handler: route?.handler.name ?? '',
    params: { ...params },
  }
}

const shownPath = ({ path, show }: PlannedRoute): string => (show ? show(path) : path)

const nameOf = ({ name, pattern }: PlannedMiddleware): string => (pattern ? `${name} ${pattern}` : name)
