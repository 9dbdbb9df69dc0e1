import { digest } from '#runtime/core'
import { toHex } from '../crypto/hex.ts'

/** An entity tag of a text: the beginning of its SHA-256 (RFC 9110 §8.8.3). */
export const tagOf = async (content: Uint8Array<ArrayBuffer>): Promise<string> =>
  `"${toHex((await digest(content)).subarray(0, 16))}"`

/** Whether `If-None-Match` contains the tag, or `*` (RFC 9110 §13.1.2: weak comparison). */
export const names = (field: string | null, tag: string): boolean =>
  (field ?? '').split(',').some((one) => /^\s*\*\s*$/.test(one) || one.trim().replace(/^W\//, '') === tag)
