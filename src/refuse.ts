import type { AnyContext, Awaitable, FieldList } from './context.ts'
import { toResponse } from './errors.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { refusal } from './internal/error/answer.ts'
import { toPairs } from './internal/header/pairs.ts'

/**
 * Refuse a request with `{ error, ...more }`, or in the format of an `onError` that has `everyRefusal`, such as
 * `problemJson`. Middleware returns the result, so outer middleware still runs.
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
  const { onError } = (ctx as BaseContext).site
  const answer = onError?.everyRefusal ? onError : toResponse
  return answer(refusal(status, error, more, undefined, toPairs(headers)), ctx as never)
}
