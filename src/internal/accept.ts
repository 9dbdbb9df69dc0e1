import { type Parameterised, parseParameterised } from './media-type.ts'

/** One member of an Accept field: what is wanted, and how much. */
export interface Preference extends Parameterised {
  /** Weight from 0, never, to 1 (RFC 9110 §12.4.2). */
  readonly q: number
}

/** A member of a list; a comma within quotes does not end it, a quote that is never closed runs to the end. */
const MEMBER = /(?:[^,"]|"[^"\\]*(?:\\(?:.|$)[^"\\]*)*(?:"|$))+/gs

/**
 * Parse Accept, Accept-Encoding and the like, the most wanted first; of equals the first named.
 * Members that break the grammar are left out. Linear in the length of the text.
 *
 * @example
 * parseAccept('gzip;q=0.5, br') // [{ value: 'br', q: 1, params: {} }, { value: 'gzip', q: 0.5, params: { q: '0.5' } }]
 */
export const parseAccept = (header: string): Preference[] => {
  const preferences: Preference[] = []
  for (const [member] of header.matchAll(MEMBER)) {
    const parsed = parseParameterised(member)
    if (!parsed) continue
    const { value, params } = parsed
    const q = Number(params.q ?? 1)
    if (q >= 0 && q <= 1) preferences.push({ value, params, q })
  }
  return preferences.sort((one, other) => other.q - one.q)
}
