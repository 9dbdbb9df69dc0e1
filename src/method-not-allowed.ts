import { createResponse } from '#runtime/response'
import type { Context } from './context.ts'

/**
 * Answer a path whose routes do not know the method: 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow` for `OPTIONS`.
 *
 * @example
 * pipe(blank, route('GET', '/', handler), (plan) => toFetch(plan, { methodNotAllowed }))
 */
export const methodNotAllowed = (ctx: Pick<Context, 'method'>, allowed: readonly string[]): Response => {
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  return ctx.method === 'OPTIONS'
    ? createResponse(null, undefined, 204, { allow })
    : createResponse('Method Not Allowed', 'text/plain; charset=utf-8', 405, { allow })
}
