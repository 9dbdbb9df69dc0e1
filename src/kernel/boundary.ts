/**
 * Invariants: whatever is thrown becomes a response once, by the `onError` of the application that the route belongs
 * to; code that drops a response cancels its body; nothing is thrown to the server.
 */
import { createResponse, isResponse, report, streamOf, withoutBody } from '#runtime/core'
import { toResponse } from '../errors.ts'
import { refusal } from '../internal/error/refusal.ts'
import { type Awaitable, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { BaseContext } from './context.ts'

/** Cancel the body of a response that another one replaces, unless that has a stream too, which may read from it. */
export const cancelBody = (dropped: Response | undefined, by?: Response): void => {
  const stream = dropped && streamOf(dropped)
  if (stream && !(by && streamOf(by))) stream.cancel().catch(() => {})
}

/** Drop a result that comes too late: cancel the body of a response, report an error. */
export const dropLate = (late: unknown): void => {
  if (isResponse(late)) cancelBody(late)
  else report(late)
}

/** Turn an error into a response; never throws itself. */
export const toErrorResponse = (error: unknown, ctx: BaseContext): Awaitable<Response> =>
  isResponse(error)
    ? error
    : tryCall(
        ctx.settings.onError ?? toResponse,
        error,
        lastResort,
        (answer) => (isResponse(answer) ? answer : lastResort(error)),
        ctx,
      )

/** Send a response: run its edits, and drop the body for HEAD. Never throws itself. */
export const sendResponse = (response: Response, ctx: BaseContext): Awaitable<Response> => {
  const final = ctx.finish?.(ctx, response) ?? response
  return ctx.method === 'HEAD' ? whenResolved(final, withoutBody) : final
}

/** Send the response to an error instead of what the chain has made so far. */
export const respondToError = (
  error: unknown,
  ctx: BaseContext,
  send: typeof sendResponse = sendResponse,
): Awaitable<Response> =>
  whenResolved(toErrorResponse(error, ctx), (response) => {
    // A response that was sent because of a deadline keeps its body
    if (response !== error && !ctx.done) cancelBody(ctx.copy, response)
    return send(response, ctx)
  })

/**
 * Respond that no route matches: with 405 if the application has `methodNotAllowed` and the path has another method,
 * else with its `notFound`, else with the default. Each may return nothing, also asynchronously.
 */
export const respondNotFound = (ctx: BaseContext): Awaitable<Response> => {
  const { methodNotAllowed, notFound, onRefusal, router } = ctx.settings
  return whenResolved(
    methodNotAllowed?.(ctx, router),
    (refused) =>
      refused ??
      whenResolved(
        notFound?.(ctx),
        (answer) =>
          answer ??
          (onRefusal
            ? onRefusal(refusal(404, 'Not Found'), ctx)
            : createResponse('{"error":"Not Found"}', 'application/json', 404)),
      ),
  )
}

/** The answer to a path that cannot be decoded. */
export const refuseMalformedPath = (): never => {
  throw refusal(400, 'Malformed path')
}

/**
 * Last resort, when `onError` itself failed. An `HttpError` may even have an invalid status. A thrown Proxy may throw
 * when it is read: inside a list it is not read.
 */
const lastResort = (error: unknown): Response => {
  try {
    return toResponse(error)
  } catch (worse) {
    return toResponse([worse])
  }
}
