import { recordOf } from './record.ts'
import { tooLarge } from './too-large.ts'

/**
 * Parse `a=1&b=2` into a record without a prototype; a name that repeats becomes a list. Names are plain: `a[b]` nests
 * nothing.
 *
 * @throws {Error} 413 with more pairs than allowed; they are counted before any is parsed.
 */
export const parseUrlencoded = (text: string, maxPairs = 1000): Record<string, string | string[]> => {
  if (text.split('&', maxPairs + 1).length > maxPairs) throw tooLarge()
  return recordOf(new URLSearchParams(text))
}
