import { routesBelow } from './internal/route/below.ts'
import { basePathOf } from './internal/route/pattern.ts'
import { movedBelow } from './internal/route/placed.ts'
import type { Below } from './internal/types/route.ts'
import type { Plan } from './plan.ts'

/**
 * Put a whole plan below a prefix, which is matched at a segment boundary. Its middleware still runs for every request;
 * the patterns of `at` become relative to the prefix.
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
      uses: plan.uses.map(movedBelow(head)),
      routes: routesBelow(head, plan.routes),
      site: { ...plan.site, basePath: head },
    } as never
  }
