import { checkOption } from '../internal/options/check.ts'
import type { AnyEnv, Handler } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/**
 * Choose a handler by the API version that `apiVersion` found; 404 for a version without a handler.
 *
 * @throws {TypeError} when created, for a handler that is not a function.
 * @example
 * createApp()
 *   .use(apiVersion({ versions: ['1', '2'] }))
 *   .get('/users', versioned({ 1: () => json(['Ada']), 2: () => json([{ name: 'Ada' }]) }))
 */
export const versioned = <Params = Record<string, string>, Env = AnyEnv, Extra = unknown>(
  handlers: Readonly<Record<string, Handler<{ apiVersion: string }, Params, Env, Extra>>>,
): Handler<{ apiVersion: string }, Params, Env, Extra> => {
  checkOption(Object(handlers) === handlers, 'versioned', 'a record of handlers', handlers)
  const byVersion = new Map(Object.entries(handlers))
  checkOption(byVersion.size, 'versioned', 'one handler or more', handlers)
  for (const [version, handler] of byVersion)
    checkOption(typeof handler === 'function', `versioned: ${version}`, 'a handler', handler)
  return function versioned(ctx) {
    const handler = byVersion.get(ctx.state.apiVersion)
    return handler ? handler(ctx) : refuse(ctx, 404, 'Not Found')
  }
}
