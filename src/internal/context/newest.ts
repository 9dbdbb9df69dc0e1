import { adopt, withoutBody } from '#runtime/response'
import type { Editable } from './finish.ts'

/**
 * Make a response the newest, as a copy for this request only: a handler may return the same response for another
 * request. Nobody will read the one before, unless the new one uses its body.
 */
export const makeNewest = (ctx: Pick<Editable, 'adopted'>, response: Response): Response => {
  const before = ctx.adopted
  if (before && before !== response) withoutBody(before, response)
  const copy = adopt(response)
  ctx.adopted = copy
  return copy
}
