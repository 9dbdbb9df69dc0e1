import { recordOf } from './form-record.ts'
import { tooLarge } from './too-large.ts'

/** @throws {Error} 413 with more pairs than allowed; they are counted before any is parsed. */
export const parseUrlencoded = (text: string, maxPairs = 1000): Record<string, string | string[]> => {
  if (text.split('&', maxPairs + 1).length > maxPairs) throw tooLarge()
  return recordOf(new URLSearchParams(text))
}
