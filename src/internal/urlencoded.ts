import { HttpError } from './http-error.ts'
import { recordOf } from './read-input.ts'

/**
 * Parse `a=1&b=2` into a record without a prototype; a name that repeats becomes a list. Names are plain: `a[b]` nests nothing.
 *
 * @throws {HttpError} 413 with more pairs than allowed; they are counted before any is parsed.
 */
export const parseUrlencoded = (text: string, maxPairs = 1000): Record<string, string | string[]> => {
  if (text.split('&', maxPairs + 1).length > maxPairs) throw new HttpError(413)
  return recordOf(new URLSearchParams(text))
}
