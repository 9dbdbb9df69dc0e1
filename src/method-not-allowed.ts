import { createResponse } from '#runtime/response'
import type { AnyContext, Awaitable } from './context.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { TEXT } from './internal/header/text-type.ts'
import { refuse } from './refuse.ts'
import type { Router } from './router.ts'

/**
 * Respond to a request whose path has no route for its method: 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow`
 * for `OPTIONS`. The response is plain text, unless `onError` formats every refusal, as `problemJson` does.
 *
 * @returns `undefined` if the path has no routes at all.
 * @example
 * pipe(blank, route('GET', '/', handler), (plan) => toFetch(plan, { notFound: methodNotAllowed }))
 */
export const methodNotAllowed = (ctx: AnyContext, router: Router<unknown>): Awaitable<Response> | undefined => {
  const { method, path } = ctx
  const allowed = [...router.methods].filter((known) => known !== '*' && reaches(router, known, path))
  if (!allowed.length) return undefined
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  if (method === 'OPTIONS') return createResponse(null, undefined, 204, { allow })
  return (ctx as BaseContext).site.onError?.everyRefusal
    ? refuse(ctx, 405, 'Method Not Allowed', undefined, ['allow', allow])
    : createResponse('Method Not Allowed', TEXT, 405, { allow })
}

/** A malformed escape in a parameter counts as a match: only its value cannot be decoded. */
const reaches = (router: Router<unknown>, method: string, path: string): boolean => {
  try {
    return router.find(method, path) !== undefined
  } catch {
    return true
  }
}
