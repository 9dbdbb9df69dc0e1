import { digest } from '#runtime/core'
import { toBase64url, toBytes } from './encoding.ts'

/** Maximum length of a key that is stored unchanged, in UTF-16 code units. */
const MAX_KEY_LENGTH = 128

const MARK = 'sha256:'

/**
 * A key of at most 128 characters that distinguishes clients as well as the original key: clients choose keys, and a
 * store keeps each of them for a whole window. Long keys become their SHA-256. So do keys that look like such a hash:
 * no client can choose the stored key of a long key. Short keys, the vast majority, are returned without a promise.
 */
export const boundedKey = (key: string): string | Promise<string> =>
  key.length <= MAX_KEY_LENGTH && !key.startsWith(MARK) ? key : hashKey(key)

const hashKey = async (key: string): Promise<string> => MARK + toBase64url(await digest(toBytes(key)))
