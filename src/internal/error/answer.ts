import { report } from '#runtime/core'
import type { HeadersInput } from '../header/fields.ts'

export interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: HeadersInput | undefined
}

/** The response of an error, if it has one. Only for an `Error`: any other thrown value may come from a client. */
export const answerOf = (error: unknown): Answer | undefined =>
  error instanceof Error ? (error as { readonly '~answer'?: Answer })['~answer'] : undefined

/** The response to any error: its own, or a 500 without details. Only an error without a response is logged. */
export const toAnswer = (error: unknown): Answer => {
  const answer = answerOf(error)
  if (!answer) report(error)
  return answer ?? { status: 500, body: { error: 'Internal Server Error' } }
}
