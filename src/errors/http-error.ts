import type { ErrorResponse } from '../internal/error/error-response.ts'
import { reasonOf } from '../internal/error/reason.ts'
import { HttpErrorBase } from '../internal/error/refusal.ts'
import { type FieldList, type HeadersInput, toPairs } from '../internal/header/fields.ts'
import { checkOption } from '../internal/options/check.ts'

/** Options of {@link HttpError}. */
export interface HttpErrorOptions {
  /** Headers of the response, as `json` takes them, or a list with lower-case names: `['retry-after', '30']`. */
  readonly headers?: FieldList | HeadersInput
  /** The cause of the error; logged, never sent. */
  readonly cause?: unknown
  /** Further members of the response body, in addition to `error`. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Stable name for programs, sent as `code`: `csrf_expired`. */
  readonly code?: string
}

/**
 * An error with a response: thrown anywhere, it becomes `{ error: message }` with its status. What the package throws
 * for a client's fault, such as a body that is too large, is one as well; its `cause` has the details. A failed
 * validation is a `ValidationError`, which has a `status` too.
 *
 * @throws {TypeError} for a status that is not a whole number from 400 to 599: an error is never sent as a success.
 * @example
 * throw new HttpError(409, 'Name is taken', { code: 'name_taken' })
 */
export class HttpError extends HttpErrorBase<FieldList | HeadersInput> {
  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    super(status, message ?? reasonOf(status), options)
    const isError = Number.isInteger(status) && status >= 400 && status < 600
    checkOption(isError, 'HttpError: status', 'a whole number from 400 to 599', status)
    checkOption(typeof (message ?? '') === 'string', 'HttpError: message', 'a string', message)
  }

  /** Errors that the package throws for a client's fault are an `HttpError` too. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return this === HttpError ? error instanceof HttpErrorBase : Error[Symbol.hasInstance].call(this, error)
  }

  override get '~response'(): ErrorResponse {
    const { headers } = this
    return { ...super['~response'], headers: isList(headers) ? toPairs(headers) : headers }
  }
}

/** Distinguishes a field list from name–value pairs. */
const isList = (headers: FieldList | HeadersInput | undefined): headers is FieldList =>
  Array.isArray(headers) && typeof headers[0] === 'string'
