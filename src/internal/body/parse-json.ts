import { badBody } from './bad-body.ts'

/**
 * @throws {SyntaxError} if the text is not JSON: becomes a 400 without the parser's message; the parser's error is its
 * `cause`.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badBody('Invalid JSON', cause)
  }
}
