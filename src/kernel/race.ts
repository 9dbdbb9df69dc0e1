/**
 * Invariant: the first answer wins here, that of the chain or that of a deadline. What comes later is dropped: its body
 * is cancelled, its error reported once.
 */

import { isResponse } from '#runtime/core'
import { type Awaitable, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import { dropLate, fail, leave, rescue } from './boundary.ts'
import type { BaseContext } from './context.ts'

/** `settle` for a chain with a deadline, which may answer first, also while an asynchronous `onError` runs. */
export const race = (answer: Promise<Response>, ctx: BaseContext): Promise<Response> =>
  new Promise((resolve) => {
    const arrive = (response: Response): Response => {
      if (ctx.done) dropLate(response)
      else resolve(leave(response, ctx))
      ctx.done = true
      ctx.deadline?.stop()
      return response
    }
    ctx.expire = (instead) => {
      if (ctx.done) return
      ctx.done = true
      const send = (response: Response): Awaitable<Response> => leave(response, ctx)
      const rescued = (error: unknown): Awaitable<Response> => whenResolved(rescue(error, ctx), send)
      resolve(
        tryCall(instead, ctx, rescued, (response) =>
          isResponse(response) ? send(response) : rescued(new TypeError('onRefusal gave no Response')),
        ),
      )
    }
    answer.then(arrive, (error) => (ctx.done ? dropLate(error) : fail(error, ctx, arrive)))
  })
