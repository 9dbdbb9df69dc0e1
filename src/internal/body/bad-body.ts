import { refusal } from '../error/answer.ts'

/** The 400 of a body that is not what its type says, as an error of the class that Fetch has for it. */
export const badBody = (error: string, Class: typeof TypeError | typeof SyntaxError, cause: unknown): Error =>
  refusal(400, error, undefined, new Class(error, { cause }))
