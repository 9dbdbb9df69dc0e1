import { createResponse } from '#runtime/response'
import type { Context } from './context.ts'
import type { Router } from './router.ts'

/**
 * Answer a path whose routes do not know the method: 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow` for `OPTIONS`.
 *
 * @returns nothing where the path has no routes at all.
 * @example
 * pipe(blank, route('GET', '/', handler), (plan) => toFetch(plan, { methodNotAllowed }))
 */
export const methodNotAllowed = (
  { method, path }: Pick<Context, 'method' | 'path'>,
  router: Router<unknown>,
): Response | undefined => {
  const allowed = [...router.methods].filter((known) => known !== '*' && reaches(router, known, path))
  if (!allowed.length) return undefined
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  return method === 'OPTIONS'
    ? createResponse(null, undefined, 204, { allow })
    : createResponse('Method Not Allowed', 'text/plain; charset=utf-8', 405, { allow })
}

/** A malformed escape in a parameter is a hit as well: only its value cannot be decoded. */
const reaches = (router: Router<unknown>, method: string, path: string): boolean => {
  try {
    return router.find(method, path) !== undefined
  } catch {
    return true
  }
}
