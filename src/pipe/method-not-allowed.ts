import { createResponse } from '#runtime/core'
import { TEXT } from '../internal/header/text-type.ts'
import type { AnyContext, Awaitable } from '../internal/types/context.ts'
import { internalsOf, type RouteTarget } from '../kernel/context.ts'
import { routeOf } from '../kernel/look-up.ts'
import type { Router } from '../router.ts'
import { refuse } from './refuse.ts'

/**
 * Respond to a request whose path has no route for its method: 405 with `Allow` (RFC 9110 §15.5.6), or 204 with `Allow`
 * for `OPTIONS`. Plain text, unless the application has `onRefusal`.
 *
 * @returns `undefined` if the path has no routes at all.
 * @example
 * pipe(blank, route('GET', '/', handler), (plan) => toFetch(plan, { methodNotAllowed }))
 */
export const methodNotAllowed = (ctx: AnyContext, router: Router<unknown>): Awaitable<Response> | undefined => {
  const { method, path } = ctx
  const allowed = [...router.methods].filter(
    (name) => name !== '*' && routeOf(router.find(name, path)?.value as RouteTarget | undefined),
  )
  if (!allowed.length) return undefined
  const allow = [...new Set([...allowed, 'OPTIONS'])].join(', ')
  if (method === 'OPTIONS') return createResponse(null, undefined, 204, { allow })
  return internalsOf(ctx).settings.onRefusal
    ? refuse(ctx, 405, 'Method Not Allowed', undefined, ['allow', allow])
    : createResponse('Method Not Allowed', TEXT, 405, { allow })
}
