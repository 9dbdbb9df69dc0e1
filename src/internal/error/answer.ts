import type { HeadersInput } from '../header/fields.ts'
import { report } from './report.ts'

/** How an error is answered. */
export interface Answer {
  readonly status: number
  /** Sent as JSON. */
  readonly body: object
  /** Further fields. */
  readonly headers?: HeadersInput | undefined
}

/** An error that knows its response. */
export interface Answerable {
  readonly '~answer'?: Answer
}

/** The response that an error brings, if it does. A thrown value that is no `Error` has no say: it may come from a client. */
export const answerOf = (error: unknown): Answer | undefined =>
  error instanceof Error ? (error as Answerable)['~answer'] : undefined

/** The response to any error: its own, or a 500 that tells the client nothing and the log everything. */
export const toAnswer = (error: unknown): Answer => {
  const answer = answerOf(error)
  if (!answer) report(error)
  return answer ?? { status: 500, body: { error: 'Internal Server Error' } }
}

/**
 * An error that a client caused: answered with `{ error, ...more }`. It has a `status`, as an `HttpError` has, so that
 * `onError` can look at either in the same way, and costs none of that class.
 */
export const refusal = (
  status: number,
  error: string,
  more?: object,
  of: Error = new Error(error),
  headers?: HeadersInput,
): Error => Object.assign(of, { status, '~answer': { status, body: { error, ...more }, headers } satisfies Answer })
