import { refusal } from '../error/answer.ts'

/** @throws {SyntaxError} when the text is not JSON: answered with 400, it says nothing of the parser, whose error is its `cause`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const error = 'Invalid JSON'
    throw refusal(400, error, undefined, new SyntaxError(error, { cause }))
  }
}
