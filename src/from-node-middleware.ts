import { runNodeMiddleware, supported } from '#runtime/node-middleware'
import type { Context, Middleware } from './context.ts'
import { checkNames, checkOption } from './internal/options.ts'
import { onResponse } from './on-response.ts'
import type { NodeMiddleware } from './runtime/node-contract.ts'

export type { NodeMiddleware } from './runtime/node-contract.ts'

/** Options of {@link fromNodeMiddleware}. */
export interface FromNodeMiddlewareOptions {
  /** Takes over what the middleware has put on Node's request, when it has called `next`. @default nothing */
  // any: Node's request with what each package adds to it
  readonly keep?: (request: any, ctx: Context) => void
}

/**
 * Run middleware of Connect and Express, `(req, res, next)`, before what comes after it.
 *
 * What it writes becomes the answer. `next(error)`, a throw and a rejection go to `onError`. Fields that it sets, also
 * with `on-headers`, join the answer of the application, whose own fields count; `set-cookie` and `vary` are joined.
 * All such middleware of one request share one `req` and one `res`. A `res` is never the socket's: a middleware that
 * changes the bytes of others, as `compression` does, has no effect.
 *
 * @throws {TypeError} when made, for a bad option and for a handler of errors, which takes four parameters.
 * @throws {Error} on every runtime but Node.
 * @example
 * app.use(fromNodeMiddleware(passport.initialize(), { keep: (request, ctx) => (ctx.state.user = request.user) }))
 */
export const fromNodeMiddleware = (middleware: NodeMiddleware, options: FromNodeMiddlewareOptions = {}): Middleware => {
  checkNames('fromNodeMiddleware', options, 'keep:function')
  checkOption(
    typeof middleware === 'function' && middleware.length < 4,
    'fromNodeMiddleware: middleware',
    'a function (req, res, next)',
    typeof middleware === 'function' ? 'a handler of errors' : middleware,
  )
  if (!supported) throw new Error('fromNodeMiddleware() needs Node: use a middleware of this package in its place')
  const { keep } = options
  return async function fromNodeMiddleware(ctx, next) {
    const { response, incoming, finish } = await runNodeMiddleware(middleware, ctx, ctx.request)
    if (response) return response
    keep?.(incoming, ctx)
    if (finish) onResponse(ctx, finish)
    return next()
  }
}
