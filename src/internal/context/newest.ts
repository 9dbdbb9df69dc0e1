import { replace } from '#runtime/replace'
import { adopt } from '#runtime/response'
import type { Editable } from './finish.ts'

/**
 * Make a response the newest, as a copy for this request only: a handler may return the same response for another
 * request.
 */
export const makeNewest = (ctx: Pick<Editable, 'adopted'>, response: Response): Response => {
  ctx.adopted = adopt(replace(ctx.adopted, response))
  return ctx.adopted
}
