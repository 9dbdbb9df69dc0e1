import { badBody } from './bad-body.ts'

/** @throws {SyntaxError} when the text is not JSON: answered with 400, it says nothing of the parser, whose error is its `cause`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badBody('Invalid JSON', SyntaxError, cause)
  }
}
