import { withoutBody } from '#runtime/response'
import { createRouter } from '#runtime/router'
import { compose } from '../compose.ts'
import type { Awaitable, Context, Loose, Middleware, Next } from '../context.ts'
import { checkOption } from '../internal/options.ts'
import { normalizePattern } from '../internal/route/pattern.ts'
import { rewrite } from '../rewrite.ts'

/** Middleware with any state: what it adds and needs is checked where the combination is used. */
type Any = Middleware<any, any, any> // any: see above

/**
 * Accept a request if one of these does: the first that calls `next()` wins. If none does, the result is the response
 * or the error of the last one.
 *
 * A middleware refuses a request if it responds or throws without calling `next()`. Edits that it has registered with
 * `onResponse` stay.
 *
 * @throws {TypeError} when created, for anything that is not a function.
 * @example
 * app.use('/api/*', some(bearerAuth({ verify }), ipRestriction({ allow: ['10.0.0.0/8'] })))
 */
export const some = <Adds = Loose>(...middleware: readonly [Any, ...Any[]]): Middleware<Adds> => {
  checked('some', middleware)
  return marked(middleware, async function some(ctx, next) {
    for (const [index, one] of middleware.entries()) {
      let passed = false
      const pass: Next = () => {
        passed = true
        return next()
      }
      try {
        const answer = await compose([one], pass)(ctx as never)
        if (passed || index === middleware.length - 1) return answer
        // Nobody will read the response of a middleware that refused
        withoutBody(answer)
      } catch (error) {
        if (passed || index === middleware.length - 1) throw error
      }
    }
    return undefined
  })
}

/**
 * Several middleware as one, in their order: each must accept the request.
 *
 * @throws {TypeError} when created, for anything that is not a function.
 * @example
 * app.use(some(apiKey({ verify }), every(jwt({ algorithms, jwks }), requireScopes('admin'))))
 */
export const every = <Adds = Loose>(...middleware: readonly [Any, ...Any[]]): Middleware<Adds> => {
  checked('every', middleware)
  return marked(middleware, function every(ctx, next) {
    return compose(middleware, next as () => Awaitable<Response>)(ctx as never)
  })
}

/** Requests that {@link except} excludes: route patterns, or a function. */
export type Exemption = string | readonly string[] | ((ctx: Context) => boolean)

/**
 * Run middleware for all requests except those to some paths.
 *
 * A pattern matches like a route, below the application's `basePath`, and against the path as it was sent: a path that
 * matches `/public/*` only after decoding cannot bypass the guard.
 *
 * @throws {TypeError} when created, for a path that is not a pattern, and for anything that is not a function.
 * @example
 * app.use(except(['/login', '/public/*'], session({ secret })))
 */
export const except = <Adds = Loose>(exempt: Exemption, ...middleware: readonly [Any, ...Any[]]): Middleware<Adds> => {
  checked('except', middleware)
  const isExempt = typeof exempt === 'function' ? exempt : matching([exempt].flat())
  return marked(middleware, function except(ctx, next) {
    return isExempt(ctx as never) ? next() : compose(middleware, next as () => Awaitable<Response>)(ctx as never)
  })
}

const matching = (patterns: readonly string[]): ((ctx: Context) => boolean) => {
  const entries = patterns.map((path) => ({ method: '*', path: normalizePattern(path), value: true }))
  const router = createRouter(entries)
  return ({ path, basePath }) => {
    const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path === basePath ? '/' : undefined
    try {
      return below !== undefined && router.find('*', below) !== undefined
    } catch {
      // A path with a malformed escape matches no route
      return false
    }
  }
}

const checked = (name: string, middleware: readonly unknown[]): void => {
  checkOption(middleware.length, `${name}: middleware`, 'one function or more', middleware)
  for (const one of middleware) checkOption(typeof one === 'function', `${name}: middleware`, 'a function', one)
}

/** If one of them may set `ctx.path`, so may the combination. */
const marked = <Adds>(inner: readonly Any[], whole: Middleware<Adds>): Middleware<Adds> =>
  inner.some((one) => one.rewrites) ? Object.assign(whole, { rewrites: rewrite }) : whole
