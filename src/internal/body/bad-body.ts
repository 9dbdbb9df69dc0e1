import { refusal } from '../error/answer.ts'

/** The 400 for a body that does not match its type, as an error of the class that Fetch uses. */
export const badBody = (error: string, Class: typeof TypeError | typeof SyntaxError, cause: unknown): Error =>
  refusal(400, error, undefined, new Class(error, { cause }))
