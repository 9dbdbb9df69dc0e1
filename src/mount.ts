import { checkOption } from './internal/options.ts'
import { routesBelow } from './internal/route/below.ts'
import type { Below } from './internal/types/route.ts'
import { type AnyPlan, blank, type Plan } from './plan.ts'

/**
 * Add another plan's routes below a prefix. Its middleware runs only for these routes.
 *
 * @example
 * pipe(blank, mount('/api', api), toFetch)
 */
export const mount = <const Prefix extends string, Inner>(
  prefix: Prefix,
  mounted: AnyPlan<Inner>,
): (<Known extends object, Env, R>(plan: Plan<Known, Env, R>) => Plan<Known, Env, R | Below<Prefix, Inner>>) => {
  checkOption(typeof prefix === 'string', 'mount: prefix', 'a path', prefix)
  // In an application `routes` is a method
  checkOption(Array.isArray(mounted?.routes), 'mount', 'a plan', mounted)
  const added = routesBelow(prefix, mounted.routes, mounted.uses)
  return (plan) => ({ ...plan, routes: [...plan.routes, ...added] })
}

/**
 * Add routes below a prefix: `build` gets a separate plan, whose middleware runs only for its routes.
 *
 * @example
 * pipe(blank, group('/admin', (admin) => pipe(admin, use(guard), route('GET', '/', handler))), toFetch)
 */
export const group = <Known extends object, Env, const Prefix extends string, Inner>(
  prefix: Prefix,
  build: (plan: Plan<Known, Env, never>) => AnyPlan<Inner>,
): (<R>(plan: Plan<Known, Env, R>) => Plan<Known, Env, R | Below<Prefix, Inner>>) => {
  checkOption(typeof build === 'function', 'group', 'a function', build)
  return mount(prefix, build(blank as AnyPlan<never>))
}
