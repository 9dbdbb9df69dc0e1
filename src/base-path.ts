import { moved } from './at.ts'
import { joinPaths, normalizePattern, withoutSlashes } from './internal/route/pattern.ts'
import { routesBelow } from './mount.ts'
import type { Plan } from './plan.ts'
import type { Below } from './route-types.ts'

/**
 * Put a whole plan below a prefix, which is matched at a segment boundary. Its middleware still runs for every request;
 * patterns of `at` move below the prefix.
 *
 * @example
 * pipe(blank, route('GET', '/users', listUsers), basePath('/api'), toFetch) // answers /api/users
 */
export const basePath =
  <const Prefix extends string = ''>(prefix?: Prefix) =>
  <Known extends object, Env, R>(plan: Plan<Known, Env, R>): Plan<Known, Env, Below<Prefix, R>> => {
    const head = basePathOf(prefix)
    return {
      ...plan,
      uses: plan.uses.map((middleware) => moved(middleware, (path) => joinPaths(head, path))),
      routes: routesBelow(head, { uses: [], routes: plan.routes }),
      site: { ...plan.site, basePath: head },
    } as never
  }

/** A prefix in the form that routes and contexts use: a leading slash, none at the end; empty if there is none. */
export const basePathOf = (prefix = ''): string => withoutSlashes(normalizePattern(`${prefix}/`))
