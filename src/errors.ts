import { createResponse } from '#runtime/core'
import { toAnswer } from './internal/error/to-answer.ts'

export { HttpError, type HttpErrorOptions } from './errors/http-error.ts'

/**
 * Any thrown value as an `Error`: the value itself if it is one, else an error that describes it and has it as `cause`.
 *
 * @example
 * toError('no').message // 'Thrown: no'
 */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`Thrown: ${textOf(thrown)}`, { cause: thrown })

/**
 * The one place that maps errors to responses: an {@link HttpError} to its status, a body that is not JSON to 400, a
 * failed validation to 422, and anything else to a 500 without details. The log gets the whole error.
 *
 * @example
 * createApp({ onError: (error) => (error instanceof Teapot ? text('short and stout', 418) : toResponse(error)) })
 */
export const toResponse = (error: unknown): Response => {
  const { status, body, headers } = toAnswer(error)
  return createResponse(JSON.stringify(body), 'application/json', status, headers)
}

/** An object without a prototype cannot be converted to a string. */
const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return typeof thrown
  }
}
