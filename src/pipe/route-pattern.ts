import type { AnyContext } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { routeOf } from '../kernel/look-up.ts'

/**
 * The pattern of the matched route with all prefixes, to name metrics and spans: `/users/:id`; `undefined` if none
 * matched.
 *
 * @example
 * app.use(async (ctx, next) => {
 *   await next()
 *   count(routePattern(ctx) ?? 'none')
 * })
 */
export const routePattern = (ctx: AnyContext): string | undefined => routeOf(internalsOf(ctx).target)?.path
