import { toBase64url } from '../../internal/crypto/base64url.ts'
import type { Hmac } from '../contract.ts'

/**
 * Imported keys by their secret, because importing costs more than using a key. Bounded: applications have only a few.
 */
const keys: Map<string, CryptoKey> = /* @__PURE__ */ new Map()

const MOST_KEYS = 64

/** With Web Crypto, which every runtime has. */
export const hmac: Hmac = async (secret, text) => {
  const key = keys.get(secret) ?? (await importKey(secret))
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}

const importKey = async (secret: string): Promise<CryptoKey> => {
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  if (keys.size >= MOST_KEYS) keys.clear()
  keys.set(secret, key)
  return key
}
