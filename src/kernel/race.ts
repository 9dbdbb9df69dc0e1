/**
 * Invariant: the first answer wins here, that of the chain or that of a deadline. What comes later is dropped: its body
 * is cancelled, its error reported once.
 */

import { isResponse } from '#runtime/core'
import { type Awaitable, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import { dropLate, fail, rescue, sendResponse } from './boundary.ts'
import type { BaseContext } from './context.ts'

/** `sendLater` for a chain with a deadline, which may answer first, also while an asynchronous `onError` runs. */
export const race = (answer: Promise<Response>, ctx: BaseContext): Promise<Response> =>
  new Promise((resolve) => {
    const resolveFirst = (response: Response): Response => {
      if (ctx.done) dropLate(response)
      else resolve(sendResponse(response, ctx))
      ctx.done = true
      ctx.deadline?.stop()
      return response
    }
    ctx.expire = (instead) => {
      if (ctx.done) return
      ctx.done = true
      const sendInstead = (response: Response): Awaitable<Response> => sendResponse(response, ctx)
      const sendError = (error: unknown): Awaitable<Response> => whenResolved(rescue(error, ctx), sendInstead)
      resolve(
        tryCall(instead, ctx, sendError, (response) =>
          isResponse(response) ? sendInstead(response) : sendError(new TypeError('onRefusal gave no Response')),
        ),
      )
    }
    answer.then(resolveFirst, (error) => (ctx.done ? dropLate(error) : fail(error, ctx, resolveFirst)))
  })
