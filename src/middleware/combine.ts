import { DEV } from '#mode'
import { createRouter } from '#runtime/core'
import { checkOption } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import { normalizePattern } from '../internal/route/pattern.ts'
import type { AnyMiddleware, Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import type { DeclaredState } from '../internal/types/route.ts'
import { cancelBody } from '../kernel/boundary.ts'
import { compose } from '../kernel/compose.ts'
import { checkNoPrepare, type PlannedMiddleware } from '../kernel/plan.ts'
import { withPrefix } from '../kernel/scope.ts'

type MiddlewareList = readonly [AnyMiddleware, ...AnyMiddleware[]]

/** The state that a middleware adds. */
type AddsOf<Member> = Member extends Middleware<infer Adds, infer _Needs, infer _Extra> ? DeclaredState<Adds> : {}

/** The state that all of them add. */
type AddsOfAll<List> = List extends readonly [infer First, ...infer Rest] ? AddsOf<First> & AddsOfAll<Rest> : {}

/** The state that all of them need, except for keys that earlier ones add. */
type NeedsOfAll<List, Before = {}> = List extends readonly [infer First, ...infer Rest]
  ? (First extends Middleware<infer _Adds, infer Needs, infer _Extra> ? (Before extends Needs ? {} : Needs) : {}) &
      NeedsOfAll<Rest, Before & AddsOf<First>>
  : {}

/** The state that the members of `some` need: none may rely on what one before it adds, because that has refused. */
type NeedsOfEach<List> = List extends readonly [infer First, ...infer Rest]
  ? NeedsOfAll<readonly [First]> & NeedsOfEach<Rest>
  : {}

/** The context that all of them expect. */
type Extras<List> = List extends readonly [infer First, ...infer Rest]
  ? (First extends Middleware<infer _Adds, infer _Needs, infer Extra> ? Extra : unknown) & Extras<Rest>
  : unknown

/** The state after one of them ran: only keys that all of them add are certain. */
type Either<List> = List extends readonly [infer First, ...infer Rest]
  ? AddsOf<First> | (Rest extends readonly [] ? never : Either<Rest>)
  : {}

/** Types of {@link except}. */
interface ExceptOf {
  <const List extends MiddlewareList, Extra = unknown>(
    exempt: Exemption<Extra>,
    ...middleware: List
  ): Middleware<Partial<AddsOfAll<List>>, NeedsOfAll<List>, Extras<List> & Extra>
  /** @typeParam Adds what it adds, where you know better than the types */
  <Adds>(exempt: Exemption, ...middleware: MiddlewareList): Middleware<Adds>
}

/**
 * Accept a request if one of several middleware does: the first that calls `next()` wins. If none does, the result is
 * the response or the error of the last one.
 *
 * A middleware refuses a request if it responds or throws without calling `next()`. Edits that it has registered with
 * `onResponse` stay. `ctx.state` has the keys that all of them add, as a union of their types.
 *
 * @throws {TypeError} when created, for anything that is not a function.
 * @example
 * app.use('/api/*', some(bearerAuth({ verify }), ipRestriction({ allow: ['10.0.0.0/8'] })))
 */
export const some = <const List extends MiddlewareList>(
  ...middleware: List
): Middleware<Either<List>, NeedsOfEach<List>, Extras<List>> => {
  checkMembers('some', middleware)
  return asGroup(some, middleware, { any: true }, async function some(ctx, next) {
    for (const [index, member] of middleware.entries()) {
      let passed = false
      const pass = (): Awaitable<Response> => {
        passed = true
        return next()
      }
      try {
        const result = await compose([member], pass)(ctx)
        if (passed || index === middleware.length - 1) return result
        // Nobody reads the response of a middleware that refused
        cancelBody(result)
      } catch (error) {
        if (passed || index === middleware.length - 1) throw error
      }
    }
    return undefined
  })
}

/**
 * Combine several middleware, in their order: each must accept the request.
 *
 * @throws {TypeError} when created, for anything that is not a function, and for one with `prepare()`.
 * @example
 * app.use(some(apiKey({ verify }), every(jwt({ algorithms, jwks }), requireScopes('admin'))))
 */
export const every = <const List extends MiddlewareList>(
  ...middleware: List
): Middleware<AddsOfAll<List>, NeedsOfAll<List>, Extras<List>> => {
  checkMembers('every', middleware)
  return asGroup(every, middleware, {}, function every(ctx, next) {
    return compose(middleware, next)(ctx)
  })
}

/** Requests that {@link except} excludes: route patterns, or a function. */
export type Exemption<Extra = unknown> =
  | string
  | readonly string[]
  | ((ctx: CallbackContext<Extra>) => Awaitable<boolean>)

/**
 * Run middleware for all requests except those to some paths.
 *
 * A pattern matches like a route, below the application's `basePath`. It is compared with the path as it was sent: a
 * path that matches `/public/*` only after decoding is guarded. What the middleware adds to `ctx.state` is optional.
 *
 * @throws {TypeError} when created, for a path that is not a pattern, and for anything that is not a function.
 * @example
 * app.use(except(['/login', '/public/*'], session({ secret })))
 */
export const except: ExceptOf = (exempt: Exemption, ...middleware: MiddlewareList): AnyMiddleware => {
  checkMembers('except', middleware)
  const isListed = typeof exempt === 'function' ? undefined : pathTest([exempt].flat())
  const isExempt = isListed
    ? (ctx: Context) => isListed(pathBelow(ctx))
    : (exempt as (ctx: Context) => Awaitable<boolean>)
  const rebuild = (...moved: MiddlewareList): AnyMiddleware => except(exempt, ...moved)
  return asGroup(rebuild, middleware, { isExempt: isListed }, function except(ctx, next) {
    return whenResolved(isExempt(ctx), (passes) => (passes ? next() : compose(middleware, next)(ctx)))
  })
}

/** The path below the application's `basePath`; `undefined` for another one. */
const pathBelow = ({ path, basePath }: Context): string | undefined =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path === basePath ? '/' : undefined

const pathTest = (patterns: readonly string[]): ((path: string | undefined) => boolean) => {
  const router = createRouter(patterns.map((path) => ({ method: '*', path: normalizePattern(path), value: true })))
  return (path) => {
    try {
      return path !== undefined && router.find('*', path) !== undefined
    } catch {
      // A path with a malformed escape matches no route
      return false
    }
  }
}

const checkMembers = (name: string, middleware: readonly unknown[]): void => {
  checkOption(middleware.length, `${name}: middleware`, 'one function or more', middleware)
  for (const member of middleware)
    checkOption(typeof member === 'function', `${name}: middleware`, 'a function', member)
  if (DEV) checkNoPrepare(middleware, name)
}

const asGroup = (
  rebuild: (...moved: MiddlewareList) => AnyMiddleware,
  parts: MiddlewareList,
  contract: Middleware['describes'],
  whole: Middleware,
): AnyMiddleware =>
  Object.assign(whole, {
    '~withPrefix': (prefix: string) => rebuild(...(parts.map(withPrefix(prefix)) as unknown as MiddlewareList)),
    '~race': (parts as readonly PlannedMiddleware[]).find((part) => part['~race'])?.['~race'],
    describes: { ...contract, parts },
  })
