import type { ParameterizedValue } from './media-type.ts'

export interface Preference extends ParameterizedValue {
  /** Weight from 0 (not acceptable) to 1 (RFC 9110 §12.4.2). */
  readonly q: number
}

/** More members than any client sends; the rest is ignored, because each costs a comparison with each offer. */
export const MAX_MEMBERS = 100

/** A parameter, with or without quotes. No value that is used here contains a comma, a semicolon or a space. */
const PARAMETER = /;\s*([^\s;=]+)="?([^\s;"]*)/g

/**
 * Parse Accept, Accept-Encoding and the like, the preferred first; of equals, the first in the header. Members whose
 * weight is not a number from 0 to 1 are left out, as are all after the first 100. Linear in the length of the header.
 *
 * @example
 * parseAccept('gzip;q=0.5, br') // [{ value: 'br', q: 1, params: {} }, { value: 'gzip', q: 0.5, params: { q: '0.5' } }]
 */
export const parseAccept = (header: string): Preference[] =>
  header
    .split(',', MAX_MEMBERS)
    .flatMap((member) => {
      const params = Object.create(null)
      for (const [, name, value] of member.matchAll(PARAMETER)) params[name!.toLowerCase()] ??= value
      const value = member.split(';', 1)[0]!.trim().toLowerCase()
      const q = Number(params.q ?? 1)
      return value && q >= 0 && q <= 1 ? { value, params, q } : []
    })
    .sort((a, b) => b.q - a.q)
