import { runNodeMiddleware } from '#runtime/node-middleware'
import { checkNames, checkOption } from './internal/options/check.ts'
import type { CallbackContext, Middleware } from './internal/types/context.ts'
import { onResponse } from './kernel/edits.ts'
import type { NodeMiddleware } from './runtime/node-contract.ts'

export type { NodeMiddleware } from './runtime/node-contract.ts'

/** Options of {@link fromNodeMiddleware}. */
export interface FromNodeMiddlewareOptions<Extra = unknown> {
  /** Copies properties that the middleware has put on Node's request, after it has called `next`. @default nothing */
  // any: Node's request with the additions of each package
  readonly keep?: (request: any, ctx: CallbackContext<Extra>) => void
}

/**
 * Run middleware of Connect and Express, `(req, res, next)`.
 *
 * If it responds, that is the response. `next(error)`, a throw and a rejection go to `onError`. Headers that it sets,
 * also with `on-headers`, are added to the response of the application, whose own headers win; `set-cookie` and `vary`
 * are combined. All such middleware of a request share one `req` and one `res`. `compression` has no effect.
 *
 * @throws {TypeError} when created, for a bad option and for an error handler, which has four parameters.
 * @throws {Error} on every runtime except Node.
 * @example
 * app.use(fromNodeMiddleware(passport.initialize(), { keep: (request, ctx) => (ctx.state.user = request.user) }))
 */
export const fromNodeMiddleware = <Extra = unknown>(
  middleware: NodeMiddleware,
  options: FromNodeMiddlewareOptions<Extra> = {},
): Middleware<{}, {}, Extra> => {
  checkNames('fromNodeMiddleware', options, 'keep:function')
  const isFunction = typeof middleware === 'function'
  const got = isFunction ? 'an error handler' : middleware
  const isMiddleware = isFunction && middleware.length < 4
  checkOption(isMiddleware, 'fromNodeMiddleware: middleware', 'a function (req, res, next)', got)
  const run = runNodeMiddleware
  if (!run) throw new Error('fromNodeMiddleware() needs Node: use a middleware of this package in its place')
  const { keep } = options as FromNodeMiddlewareOptions
  return async function fromNodeMiddleware(ctx, next) {
    const { response, incoming, finish } = await run(middleware, ctx, ctx.request)
    if (response) return response
    keep?.(incoming, ctx)
    if (finish) onResponse(ctx, finish)
    return next()
  }
}
