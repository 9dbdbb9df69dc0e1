import { refusal } from '../error/refusal.ts'

/** @throws {Error} 400 if the text is not JSON, without the parser's message, whose error is the `cause`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refusal(400, 'Invalid JSON', { cause })
  }
}
