import { digest } from '#runtime/core'
import { toBase64url, toBytes } from './encoding.ts'

/** Maximum length of a key that is stored unchanged, in UTF-16 code units. */
const MAX_KEY_LENGTH = 128

const MARK = 'sha256:'

/**
 * A key of at most 128 characters that distinguishes clients as well as the original key.
 *
 * Clients choose keys (an API key, a user name), and every key is kept for a whole window: 20,000 keys of 16 kB are 300
 * MB. Long keys become their SHA-256. Keys that look like such a hash are hashed too, so that no client can choose the
 * stored key of a long key. Short keys, which are the vast majority, are returned without a promise.
 */
export const boundedKey = (key: string): string | Promise<string> =>
  key.length <= MAX_KEY_LENGTH && !key.startsWith(MARK) ? key : hashKey(key)

const hashKey = async (key: string): Promise<string> => MARK + toBase64url(await digest(toBytes(key)))
