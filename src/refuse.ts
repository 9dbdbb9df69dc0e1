import type { Awaitable, Context, FieldList } from './context.ts'
import { toResponse } from './errors.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { refusal } from './internal/error/answer.ts'
import { toPairs } from './internal/header/pairs.ts'

/**
 * Answer a request that is refused with `{ error, ...more }`, or in the form of an `onError` that has `everyRefusal`, as
 * `problemJson` has. Middleware returns it: code around the middleware still runs.
 *
 * @param more further members of the body
 * @param headers further fields of the answer
 * @example
 * return refuse(ctx, 403, 'Not for you', { code: 'wrong_team' })
 */
export const refuse = (
  ctx: Context<any, any>,
  status: number,
  error: string,
  more?: object,
  headers?: FieldList,
): Awaitable<Response> => {
  const { onError } = (ctx as unknown as BaseContext).site
  const answer = onError?.everyRefusal ? onError : toResponse
  return answer(refusal(status, error, more, undefined, toPairs(headers)), ctx as never)
}
