/**
 * Which chain a request meets: what `toFetch` runs, and what `sluice routes --explain` shows. Invariant: the settings
 * of an application travel with its routes, so what is found says which hold.
 */
import { createRouter } from '#runtime/core'
import type { Match, Router } from '../internal/route/match.ts'
import { isSound } from '../internal/route/pattern.ts'
import type { AnyPlan, PlannedRoute } from '../internal/types/plan.ts'
import { malformed, respondNotFound } from './boundary.ts'
import type { Target } from './context.ts'

/** Finds what a request is passed to. */
export interface LookUp {
  readonly router: Router<Target>
  /** @param wanted the method that a preflight names */
  find(method: string, path: string, wanted: string | null): Match<Target>
}

/** The routes of a plan, by method and path. */
export const createLookUp = (routes: AnyPlan['routes'], strict?: boolean): LookUp => {
  const entries = routes.map((behind) => ({ ...behind, value: { behind, handler: behind.handler } as Target }))
  const router = createRouter(entries, strict)
  const lost: Target = { handler: respondNotFound }

  return {
    router,
    find(method, path, wanted) {
      if (!isSound(path)) {
        // The application that would have the path as it was sent formats the 400
        const sent = router.find('', path.replaceAll('%', '-'))
        return { value: { handler: malformed, mounted: sent?.value.behind?.settings } }
      }
      const match = router.find(method, path)
      if (isRoute(match)) return match
      const first = router.find('', path)
      // A path that has a route for another method: that which a preflight names, else the first registered
      const named = first && wanted ? router.find(wanted, path) : undefined
      const other = isRoute(named) ? named : first
      if (!isRoute(other)) return other ?? { value: lost }
      const { value, params } = other
      value.missed ??= { behind: value.behind, handler: respondNotFound }
      return { value: value.missed, params }
    },
  }
}

/** The route whose own handler runs. What answers for the other paths below a mounted application is none. */
export const routeOf = (target: Target | undefined): PlannedRoute | undefined =>
  target?.handler === respondNotFound ? undefined : target?.behind

/** The routes of a plan that its author has written. */
export const ownRoutes = ({ routes }: Pick<AnyPlan, 'routes'>): readonly PlannedRoute[] =>
  routes.filter(({ handler }) => (handler as unknown) !== respondNotFound)

const isRoute = (match: Match<Target> | undefined): match is Match<Target> => !!routeOf(match?.value)
