/**
 * Which routes a middleware covers. Invariants: the chain of a route has the middleware of its application and groups,
 * except middleware whose pattern excludes the route. A pattern that matches all paths of the route is not checked.
 */
import { DEV } from '#mode'
import { checkOption } from '../internal/options/check.ts'
import { basePathOf, joinPaths, normalizePattern } from '../internal/route/pattern.ts'
import type { AnyMiddleware, AnyState, Context, Middleware, Next } from '../internal/types/context.ts'
import type { AnyPlan, Plan, PlannedRoute } from '../internal/types/plan.ts'
import type { Below } from '../internal/types/route.ts'
import type { MountSettings } from '../internal/types/settings.ts'
import { respondNotFound } from './boundary.ts'
import { coverOf, matcherOf } from './cover.ts'
import { blank, checkNoPrepare, checkSteps, type PlannedMiddleware, requireFunction } from './plan.ts'

/**
 * Let middleware run only for the paths that a pattern matches. `/admin/*` matches `/admin` as well.
 *
 * The path is compared in decoded form, and also with `%2F` as a slash, because `:name` decodes it: a guard for
 * `/files/secret/*` also runs for `/files/%73ecret/x` and `/files/secret%2Fx`.
 *
 * @throws {TypeError} for a bad pattern, a second middleware, one with `prepare()`, anything but a function.
 * @example
 * pipe(blank, use(at('/admin/*', bearerAuth({ verify }))), toFetch)
 */
export const at: <Adds = AnyState, Needs = {}, Extra = unknown>(
  path: string,
  middleware: Middleware<Adds, Needs, Extra>,
) => Middleware<Adds, Needs, Extra> = (path, middleware, ...more: readonly never[]) => {
  if (DEV) {
    // A second middleware would be ignored, and it may be a guard
    checkOption(!more.length, 'at: middleware', 'one: write at() for each', 1 + more.length)
    checkSteps([middleware], path)
    checkNoPrepare([middleware], 'at')
  }
  return withPath(normalizePattern(path), requireFunction(middleware) as never) as never
}

/**
 * Add another plan below a prefix. Its middleware runs for its own routes.
 *
 * @throws {TypeError} for a plan that has middleware and no route: it would guard nothing.
 * @example
 * pipe(blank, mount('/api', api), toFetch)
 */
export const mount = <const Prefix extends string, Inner>(
  prefix: Prefix,
  mounted: AnyPlan<Inner>,
): (<Known extends object, Env, R>(plan: Plan<Known, Env, R>) => Plan<Known, Env, R | Below<Prefix, Inner>>) => {
  if (DEV) checkOption(typeof prefix === 'string', 'mount: prefix', 'a path', prefix)
  // In an application `routes` is a method
  if (DEV) checkOption(Array.isArray(mounted?.routes), 'mount', 'a plan', mounted)
  const routes = mountRoutes(prefix, mounted)
  return (plan) => ({ ...plan, routes: [...plan.routes, ...routes] })
}

/**
 * Add routes below a prefix: `build` gets a separate plan, whose middleware runs for its own routes.
 *
 * @example
 * pipe(blank, group('/admin', (admin) => pipe(admin, use(guard), route('GET', '/', handler))), toFetch)
 */
export const group = <Known extends object, Env, const Prefix extends string, Inner>(
  prefix: Prefix,
  build: (plan: Plan<Known, Env, never>) => AnyPlan<Inner>,
): (<R>(plan: Plan<Known, Env, R>) => Plan<Known, Env, R | Below<Prefix, Inner>>) => {
  if (DEV) checkOption(typeof build === 'function', 'group', 'a function', build)
  return mount(prefix, build(blank as AnyPlan<never>))
}

/**
 * Add a prefix to every route of a plan, and to the patterns of its middleware. It matches whole segments.
 *
 * @example
 * pipe(blank, route('GET', '/users', listUsers), basePath('/api'), toFetch) // responds to /api/users
 */
export const basePath =
  <const Prefix extends string = ''>(prefix?: Prefix) =>
  <Known extends object, Env, R>(plan: Plan<Known, Env, R>): Plan<Known, Env, Below<Prefix, R>> => {
    const head = basePathOf(prefix)
    const uses = plan.uses.map(withPrefix(head))
    const routes = plan.routes.map(prefixRoute(head))
    return { ...plan, uses, routes, settings: { ...plan.settings, basePath: head } } as never
  }

/** Return the routes of a mounted plan, with its middleware. Settings for a 404 add a route for all other paths. */
export const mountRoutes = (
  prefix: string,
  { uses, routes }: Pick<AnyPlan, 'uses' | 'routes'>,
  mountSettings?: MountSettings,
): PlannedRoute[] => {
  const all: PlannedRoute[] = routes.map((inner) => ({
    ...inner,
    middleware: [...uses, ...inner.middleware],
    // The settings of an application within this one come first
    settings: inner.settings ? { ...mountSettings, ...inner.settings } : mountSettings,
  }))
  if (mountSettings?.notFound || mountSettings?.onRefusal)
    all.push({ method: '*', path: '/*', middleware: uses, handler: respondNotFound as never, settings: mountSettings })
  if (uses.length && !all.length) {
    const expected = `one or more, which its middleware guards: write use("${prefix}/*", guard)`
    throw new TypeError(DEV ? `mount: routes: expected ${expected}` : 'mount')
  }
  if (DEV) checkNoPrepare(uses, 'mount')
  return all.map(prefixRoute(normalizePattern(`${prefix}/`)))
}

const prefixRoute =
  (prefix: string) =>
  (route: PlannedRoute): PlannedRoute => ({
    ...route,
    path: normalizePattern(joinPaths(prefix, route.path)),
    middleware: route.middleware.map(withPrefix(prefix)),
  })

export const withPrefix =
  (prefix: string) =>
  <M extends AnyMiddleware>(middleware: M): M =>
    ((middleware as PlannedMiddleware)['~withPrefix']?.(prefix) as M | undefined) ?? middleware

const withPath = (pattern: string, inner: PlannedMiddleware): PlannedMiddleware => {
  const matches = matcherOf(pattern)
  const guarded: PlannedMiddleware = Object.assign(
    // Called only by middleware that runs another one itself; a composed chain uses `~matches` and `inner`
    Object.defineProperty((ctx: Context, next: Next) => (matches(ctx.path) ? inner(ctx, next) : next()), 'name', {
      value: inner.name,
    }),
    {
      pattern,
      '~matches': matches,
      inner,
      // Also for middleware of users: if the path does not match, the rest responds, and its response is no copy yet
      '~passes': true,
      '~race': inner['~race'],
      '~coverOf'(route: string): readonly PlannedMiddleware[] {
        const cover = coverOf(pattern, matches, route)
        return cover ? (cover > 1 ? (inner['~coverOf']?.(route) ?? [inner]) : [guarded]) : []
      },
      '~withPrefix': (prefix: string) => withPath(joinPaths(prefix, pattern), withPrefix(prefix)(inner)),
    },
  )
  return guarded
}
