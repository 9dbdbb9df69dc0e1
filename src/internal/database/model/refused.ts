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
export const answering = async <T>(Answer: AnswerClass, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status, message, code, cause } = error
    throw new Answer(status, message, { ...(code !== undefined && { code }), cause })
  }
}
