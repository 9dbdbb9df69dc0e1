/** Invariant: the first response wins. The body of a later one is cancelled, a later error is reported once. */
import { isResponse } from '#runtime/core'
import { isPromise } from '../internal/promise/awaitable.ts'
import { dropLate, respondToError } from './boundary.ts'
import type { RunChain } from './context.ts'

/** A chain that a deadline may end, also while an asynchronous `onError` runs. */
export const race =
  (chain: RunChain): RunChain =>
  (ctx) => {
    // Tells `timeout` that this chain can end early
    ctx.respondInstead = () => {}
    const result = chain(ctx)
    if (!isPromise(result)) return result
    return new Promise((resolve) => {
      const resolveResponse = (response: Response): Response => {
        if (ctx.isRaceOver) dropLate(response)
        else resolve(response)
        ctx.isRaceOver = true
        ctx.deadline?.stop()
        return response
      }
      ctx.respondInstead = (instead) => {
        if (ctx.isRaceOver) return
        ctx.isRaceOver = true
        resolve(
          (async () => {
            const response = await instead()
            if (isResponse(response)) return response
            throw new TypeError('onRefusal did not return a Response')
          })(),
        )
      }
      result.then(resolveResponse, (error) =>
        ctx.isRaceOver ? dropLate(error) : respondToError(error, ctx, resolveResponse),
      )
    })
  }
