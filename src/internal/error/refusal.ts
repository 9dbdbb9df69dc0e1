import type { HeadersInput } from '../header/fields.ts'
import type { ErrorResponse } from './error-response.ts'

/** The members of an error, other than its status and message. */
interface Details<Headers> {
  readonly headers?: Headers | undefined
  readonly cause?: unknown
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly code?: string | undefined
}

/** `HttpError` without the parts that only applications need, so that bundles which throw none do not contain them. */
export class HttpErrorBase<Headers = HeadersInput> extends Error {
  declare readonly status: number
  declare readonly headers: Headers | undefined
  declare readonly data: Readonly<Record<string, unknown>> | undefined
  declare readonly code: string | undefined

  constructor(status: number, message: string, details: Details<Headers> = {}) {
    super(message, details)
    Object.assign(this, details, { name: 'HttpError', status })
  }

  get '~response'(): ErrorResponse {
    const { status, message, code, data, headers } = this
    return { status, body: { error: message, code, ...data }, headers: headers as HeadersInput | undefined }
  }
}

/** An `HttpError` that a client caused: the response is `{ error, ...data }`. */
export const refusal = (status: number, error: string, details?: Details<HeadersInput>): HttpErrorBase =>
  new HttpErrorBase(status, error, details)
