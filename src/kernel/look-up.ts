/** Finds the route of a request. Invariant: a match carries the settings of the application that has its route. */
import { createRouter } from '#runtime/core'
import type { Match, Router } from '../internal/route/match.ts'
import { isDecodable } from '../internal/route/pattern.ts'
import type { AnyContext } from '../internal/types/context.ts'
import type { AnyPlan, PlannedRoute } from '../internal/types/plan.ts'
import { refuseMalformedPath, respondNotFound } from './boundary.ts'
import type { RouteTarget } from './context.ts'

export interface LookUp {
  readonly router: Router<RouteTarget>
  find(ctx: Pick<AnyContext, 'method' | 'path' | 'header'>): Match<RouteTarget>
}

export const createLookUp = (routes: AnyPlan['routes'], strict?: boolean): LookUp => {
  const entries = routes.map((route) => ({
    ...route,
    value: { plannedRoute: route, handler: route.handler } as RouteTarget,
  }))
  const router = createRouter(entries, strict)
  const notFound: RouteTarget = { handler: respondNotFound }

  return {
    router,
    find(ctx) {
      const { path } = ctx
      if (!isDecodable(path)) {
        // The mounted application whose prefix the path has formats the 400. Without `%`, the path can be looked up
        const sent = router.find('', path.replaceAll('%', '-'))
        return { value: { handler: refuseMalformedPath, mountSettings: sent?.value.plannedRoute?.settings } }
      }
      const match = router.find(ctx.method, path)
      if (isRoute(match)) return match
      const firstMatch = router.find('', path)
      if (!isRoute(firstMatch)) return firstMatch ?? { value: notFound }
      // The path has routes for other methods. A preflight gets the route of the method that it names, if there is one;
      // any other request gets the first route
      const preflightMethod = ctx.method === 'OPTIONS' && ctx.header('access-control-request-method')
      const preflightMatch = router.find(preflightMethod || '', path)
      const { value, params } = isRoute(preflightMatch) ? preflightMatch : firstMatch
      value.wrongMethod ??= { plannedRoute: value.plannedRoute, handler: respondNotFound }
      return { value: value.wrongMethod, params }
    },
  }
}

/** The route whose handler runs. The 404 below a mounted application is not one. */
export const routeOf = (target: RouteTarget | undefined): PlannedRoute | undefined =>
  target?.handler === respondNotFound ? undefined : target?.plannedRoute

export const registeredRoutes = ({ routes }: Pick<AnyPlan, 'routes'>): readonly PlannedRoute[] =>
  routes.filter(({ handler }) => (handler as unknown) !== respondNotFound)

const isRoute = (match: Match<RouteTarget> | undefined): match is Match<RouteTarget> => !!routeOf(match?.value)
