import { adopt } from '#runtime/response'
import type { Editable } from './finish.ts'
import { replace } from './replace.ts'

/**
 * Make a response the newest, as a copy for this request only: a handler may return the same response for another
 * request. It takes the place of the one before.
 */
export const makeNewest = (ctx: Pick<Editable, 'adopted'>, response: Response): Response => {
  const copy = adopt(replace(ctx.adopted, response))
  ctx.adopted = copy
  return copy
}
