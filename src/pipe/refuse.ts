import { toResponse } from '../errors.ts'
import { refusal } from '../internal/error/refusal.ts'
import { toPairs } from '../internal/header/fields.ts'
import type { AnyContext, Awaitable, FieldList } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'

/**
 * Refuse a request with `{ error, ...more }`, or in the format of `onRefusal`. Middleware returns the result.
 *
 * @param more further members of the body
 * @param headers further headers of the response
 * @example
 * return refuse(ctx, 403, 'Not for you', { code: 'wrong_team' })
 */
export const refuse = (
  ctx: AnyContext,
  status: number,
  error: string,
  more?: object,
  headers?: FieldList,
): Awaitable<Response> => {
  const format = internalsOf(ctx).settings.onRefusal ?? toResponse
  return format(refusal(status, error, { data: more as Record<string, unknown>, headers: toPairs(headers) }), ctx)
}
