import type { HeadersInput } from '../header/fields.ts'
import { report } from './report.ts'

/** The response to an error. */
export interface Answer {
  readonly status: number
  /** Sent as JSON. */
  readonly body: object
  /** Further headers. */
  readonly headers?: HeadersInput | undefined
}

/** An error with its own response. */
export interface Answerable {
  readonly '~answer'?: Answer
}

/** The response of an error, if it has one. Only for an `Error`: any other thrown value may come from a client. */
export const answerOf = (error: unknown): Answer | undefined =>
  error instanceof Error ? (error as Answerable)['~answer'] : undefined

/** The response to any error: its own, or a 500 that tells the client nothing. The log gets the whole error. */
export const toAnswer = (error: unknown): Answer => {
  const answer = answerOf(error)
  if (!answer) report(error)
  return answer ?? { status: 500, body: { error: 'Internal Server Error' } }
}

/**
 * An error that a client caused: the response is `{ error, ...more }`. It has a `status`, like an `HttpError`, so that
 * `onError` can treat both in the same way, but does not need that class.
 */
export const refusal = (
  status: number,
  error: string,
  more?: object,
  of: Error = new Error(error),
  headers?: HeadersInput,
): Error => Object.assign(of, { status, '~answer': { status, body: { error, ...more }, headers } satisfies Answer })
