/**
 * Invariants: each error becomes a response once, by the `onError` of the application that the route belongs to; code
 * that drops a response cancels its body; nothing is thrown to the server.
 */
import { createResponse, isResponse, report, streamOf, withoutBody } from '#runtime/core'
import { toResponse } from '../errors.ts'
import { refusal } from '../internal/error/refusal.ts'
import { type Awaitable, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { BaseContext } from './context.ts'

/** Cancel the body of `dropped`, which `by` replaces, unless `by` has a stream: it may be reading that body. */
export const cancelBody = (dropped: Response | undefined, by?: Response): void => {
  const stream = dropped && streamOf(dropped)
  if (stream && !(by && streamOf(by))) stream.cancel().catch(() => {})
}

export const dropLate = (late: unknown): void => {
  if (isResponse(late)) cancelBody(late)
  else report(late)
}

export const toErrorResponse = (error: unknown, ctx: BaseContext): Awaitable<Response> =>
  isResponse(error)
    ? error
    : tryCall(
        ctx.settings.onError ?? toResponse,
        error,
        lastResort,
        (response) => (isResponse(response) ? response : lastResort(error)),
        ctx,
      )

/** Run the edits of a response, and drop its body for HEAD. Never throws itself. */
export const sendResponse = (response: Response, ctx: BaseContext): Awaitable<Response> => {
  const final = ctx.runEdits?.(ctx, response) ?? response
  return ctx.method === 'HEAD' ? whenResolved(final, withoutBody) : final
}

/** Send the response to an error instead of the response of the chain. */
export const respondToError = (
  error: unknown,
  ctx: BaseContext,
  send: typeof sendResponse = sendResponse,
): Awaitable<Response> =>
  whenResolved(toErrorResponse(error, ctx), (response) => {
    // A response that was sent because of a deadline keeps its body
    if (response !== error && !ctx.isRaceOver) cancelBody(ctx.ownResponse, response)
    return send(response, ctx)
  })

/** Ask `methodNotAllowed`, then `notFound`. If neither returns a response, send the default 404. */
export const respondNotFound = (ctx: BaseContext): Awaitable<Response> => {
  const { methodNotAllowed, notFound, onRefusal, router } = ctx.settings
  return whenResolved(
    methodNotAllowed?.(ctx, router),
    (refused) =>
      refused ??
      whenResolved(
        notFound?.(ctx),
        (response) =>
          response ??
          (onRefusal
            ? onRefusal(refusal(404, 'Not Found'), ctx)
            : createResponse('{"error":"Not Found"}', 'application/json', 404)),
      ),
  )
}

export const refuseMalformedPath = (): never => {
  throw refusal(400, 'Malformed path')
}

/** Responds if `onError` itself failed. A thrown Proxy may throw if it is read: inside a list it is not. */
const lastResort = (error: unknown): Response => {
  try {
    return toResponse(error)
  } catch (worse) {
    return toResponse([worse])
  }
}
