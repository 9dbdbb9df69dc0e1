import { createResponse } from '#runtime/response'
import { HttpError } from './internal/http-error.ts'
import { JsonError } from './internal/json-error.ts'
import { publicIssues } from './internal/schema.ts'
import { ValidationError } from './internal/validation-error.ts'

export { HttpError, type HttpErrorOptions } from './internal/http-error.ts'

/**
 * Whatever was thrown, as an `Error`: itself if it is one, else one that says what it was and keeps it as `cause`.
 *
 * @example
 * toError('no').message // 'Thrown: no'
 */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`Thrown: ${String(thrown)}`, { cause: thrown })

/**
 * The one place that maps errors to answers: an {@link HttpError} to its status, a body that is not JSON to 400, a failed validation to 422, and anything
 * else to a 500 that tells the client nothing and the log everything.
 *
 * @example
 * createApp({ onError: (error, ctx) => (error instanceof Teapot ? text('short and stout', 418) : toResponse(error)) })
 */
export const toResponse = (error: unknown): Response => {
  if (error instanceof HttpError) {
    const { status, message, code, data, headers = [] } = error
    const pairs = headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]!] as [string, string]]))
    return answer({ error: message, code, ...data }, status, pairs)
  }
  if (error instanceof JsonError) return answer({ error: error.message }, error.status)
  if (error instanceof ValidationError) {
    return answer({ error: 'Validation failed', issues: publicIssues(error.issues) }, 422)
  }
  console.error(error)
  return answer({ error: 'Internal Server Error' }, 500)
}

const answer = (body: object, status: number, headers?: [string, string][]): Response =>
  createResponse(JSON.stringify(body), 'application/json', status, headers)
