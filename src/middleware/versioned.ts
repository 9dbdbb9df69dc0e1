import { shortJson } from '#runtime/short-response'
import type { Handler } from '../context.ts'

/**
 * One handler for each version of the API, chosen by what `apiVersion` found; 404 for a version that has none here.
 *
 * @example
 * createApp()
 *   .use(apiVersion({ versions: ['1', '2'] }))
 *   .get('/users', versioned({ 1: () => json(['Ada']), 2: () => json([{ name: 'Ada' }]) }))
 */
export const versioned = <Params = Record<string, string>, Env = any, Extra = unknown>(
  handlers: Readonly<Record<string, Handler<{ apiVersion: string }, Params, Env, Extra>>>,
): Handler<{ apiVersion: string }, Params, Env, Extra> => {
  const byVersion = new Map(Object.entries(handlers))
  return function versioned(ctx) {
    const handler = byVersion.get(ctx.state.apiVersion)
    return handler ? handler(ctx) : shortJson({ error: 'Not Found' }, 404)
  }
}
