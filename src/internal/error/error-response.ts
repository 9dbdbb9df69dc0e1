import { report } from '#runtime/core'
import type { HeadersInput } from '../header/fields.ts'

export interface ErrorResponse {
  readonly status: number
  readonly body: object
  readonly headers?: HeadersInput | undefined
}

/** The response of an error, if it has one. Only for an `Error`: any other thrown value may come from a client. */
export const errorResponseOf = (error: unknown): ErrorResponse | undefined =>
  error instanceof Error ? (error as { readonly '~response'?: ErrorResponse })['~response'] : undefined

/** The response to any error: its own, or a 500 without details. Only an error without a response is logged. */
export const errorResponseOr500 = (error: unknown): ErrorResponse => {
  const response = errorResponseOf(error)
  if (!response) report(error)
  return response ?? { status: 500, body: { error: 'Internal Server Error' } }
}
