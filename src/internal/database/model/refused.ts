/** A refusal by the model because of the data. The public part of the model throws it as an `HttpError`. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, message: string, code?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
  }
}

/** `HttpError`, which is public and therefore passed in. */
type AnswerClass = new (status: number, message: string, options: { code?: string; cause?: unknown }) => Error

/** Run the work, and turn its refusals into HTTP errors for the client. */
export const answering = <T>(Answer: AnswerClass, work: () => Promise<T>): Promise<T> => {
  const answer = (error: unknown): Promise<never> => Promise.reject(toAnswer(Answer, error))
  try {
    return work().catch(answer)
  } catch (error) {
    return answer(error)
  }
}

const toAnswer = (Answer: AnswerClass, error: unknown): unknown => {
  if (!(error instanceof Refused)) return error
  const { status, message, code, cause } = error
  return new Answer(status, message, { ...(code !== undefined && { code }), cause })
}
