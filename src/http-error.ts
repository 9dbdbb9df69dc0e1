import type { Answer } from './internal/error/answer.ts'
import { reasonOf } from './internal/error/reason.ts'
import type { FieldList, HeadersInput } from './internal/header/fields.ts'
import { toPairs } from './internal/header/pairs.ts'
import { checkOption } from './internal/options.ts'

/** What an {@link HttpError} may have in addition to its status and message. */
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
 * An error with a response: thrown anywhere, it becomes `{ error: message }` with its status.
 *
 * @throws {TypeError} for a status that is not a whole number from 400 to 599: an error is never sent as a success.
 * @example
 * throw new HttpError(409, 'Name is taken', { code: 'name_taken' })
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: FieldList | HeadersInput | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly code: string | undefined

  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    super(message ?? reasonOf(status), options.cause === undefined ? undefined : { cause: options.cause })
    const fine = Number.isInteger(status) && status >= 400 && status < 600
    checkOption(fine, 'HttpError: status', 'a whole number from 400 to 599', status)
    checkOption(typeof (message ?? '') === 'string', 'HttpError: message', 'a string', message)
    this.status = status
    this.headers = options.headers
    this.data = options.data
    this.code = options.code
  }

  get '~answer'(): Answer {
    const { status, message, code, data, headers } = this
    return { status, body: { error: message, code, ...data }, headers: isList(headers) ? toPairs(headers) : headers }
  }
}

/** Distinguishes a field list from name–value pairs. */
const isList = (headers: FieldList | HeadersInput | undefined): headers is FieldList =>
  Array.isArray(headers) && typeof headers[0] === 'string'
