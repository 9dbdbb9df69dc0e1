import { createResponse } from '#runtime/core'
import { errorResponseOr500 } from './internal/error/error-response.ts'

export { HttpError, type HttpErrorOptions } from './errors/http-error.ts'

/**
 * Any thrown value as an `Error`: itself if it is one, else an error that describes it and has it as `cause`.
 *
 * @example
 * toError('no').message // 'Thrown: no'
 */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`Thrown: ${textOf(thrown)}`, { cause: thrown })

/**
 * The default response to an error: an {@link HttpError} gets its status, a body that is not JSON 400, a failed
 * validation 422, and anything else a 500 without details, whose error is logged.
 *
 * @example
 * createApp({ onError: (error) => (error instanceof Teapot ? text('short and stout', 418) : toResponse(error)) })
 */
export const toResponse = (error: unknown): Response => {
  const { status, body, headers } = errorResponseOr500(error)
  return createResponse(JSON.stringify(body), 'application/json', status, headers)
}

const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    // An object without a prototype
    return typeof thrown
  }
}
