import { toBase64url } from './base64url.ts'
import { equal } from './equal.ts'
import { need } from './need.ts'

/** Imported keys by their secret: applications have a handful, and what fills it beyond that is dropped. */
const keys: Map<string, CryptoKey> = /* @__PURE__ */ new Map()

const MOST_KEYS = 64

/**
 * The secrets as a list, the one that signs first.
 *
 * @throws {TypeError} when there is none, or one is empty.
 */
export const secretsOf = (secret: string | readonly string[], option = 'secret'): readonly string[] => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // the value stays out of the message: it is, or is meant to be, a secret
  const fine = Array.isArray(secrets) && secrets.length && secrets.every((one) => one && typeof one === 'string')
  need(fine, option, typeof secret, 'a text that is not empty, or a list of such texts')
  return secrets
}

/** HMAC-SHA-256 of a text, as 43 characters of base64url. */
export const sign = async (secret: string, text: string): Promise<string> => {
  const key = keys.get(secret) ?? (await importKey(secret))
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}

/** Whether one of the secrets made the signature; takes as long for a wrong one as for a right one. */
export const verify = async (secrets: readonly string[], text: string, signature: string): Promise<boolean> => {
  for (const secret of secrets) {
    if (equal(await sign(secret, text), signature)) return true
  }
  return false
}

const importKey = async (secret: string): Promise<CryptoKey> => {
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  if (keys.size >= MOST_KEYS) keys.clear()
  keys.set(secret, key)
  return key
}
