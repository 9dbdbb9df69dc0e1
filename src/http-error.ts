import type { Answer } from './internal/error/answer.ts'
import { reasonOf } from './internal/error/reason.ts'
import type { FieldList } from './internal/header/fields.ts'
import { toPairs } from './internal/header/pairs.ts'

/** What an {@link HttpError} may have in addition to its status and message. */
export interface HttpErrorOptions {
  /** Headers of the response, with lower-case names: `['retry-after', '30']`. */
  readonly headers?: FieldList
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
 * @example
 * throw new HttpError(409, 'Name is taken', { code: 'name_taken' })
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: FieldList | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly code: string | undefined

  constructor(status: number, message?: string, options: HttpErrorOptions = {}) {
    super(message ?? reasonOf(status), options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.headers = options.headers
    this.data = options.data
    this.code = options.code
  }

  get '~answer'(): Answer {
    const { status, message, code, data, headers } = this
    return { status, body: { error: message, code, ...data }, headers: toPairs(headers) }
  }
}
