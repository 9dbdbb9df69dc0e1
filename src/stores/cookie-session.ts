import { fromBase64url, toBase64url, toBytes } from '../internal/crypto/encoding.ts'
import { checkNames, checkWhole } from '../internal/options/check.ts'
import type { SealedSessionStore } from '../internal/session/session-store.ts'

/** Options of {@link cookieSession}. */
export interface CookieSessionOptions {
  /** Largest value, in bytes; browsers drop a cookie whose name and value exceed 4,096. @default 3800 */
  readonly maxBytes?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** Bytes of a nonce for AES-GCM (NIST SP 800-38D §8.2). */
const NONCE = 12

/**
 * Keep the session in the cookie itself, encrypted and authenticated with AES-256-GCM under a key derived from the
 * secret. The name of the cookie is authenticated too, so a sealed session cannot be moved to another cookie. The
 * server cannot revoke a session: a copy of the cookie works until it expires, even after a logout. Of two concurrent
 * requests, the later response wins.
 *
 * @throws {TypeError} when created, for a bad option. @throws {RangeError} when a session is saved that is too large.
 * @example
 * session({ secret, cookie: { secure: true, maxAge: 3600 }, store: cookieSession() })
 */
export const cookieSession = (options: CookieSessionOptions = {}): SealedSessionStore => {
  checkNames('cookieSession', options, 'maxBytes now:function')
  const { maxBytes = 3800, now = Date.now } = options
  checkWhole(maxBytes, 'cookieSession: maxBytes', 'bytes', 1)
  // Deriving a key costs more than using it, and a session has few secrets
  const keys = new Map<string, CryptoKey>()
  const keyOf = async (secret: string): Promise<CryptoKey> => {
    const key = keys.get(secret) ?? (await deriveKey(secret))
    keys.set(secret, key)
    return key
  }
  return {
    async seal(id, data, ttlSeconds, [secret], name = '') {
      const text = JSON.stringify([id, Math.floor(now() / 1000) + ttlSeconds, data])
      const iv = crypto.getRandomValues(new Uint8Array(NONCE))
      const key = await keyOf(secret!)
      const hidden = await crypto.subtle.encrypt(cipherOf(iv, name), key, toBytes(text))
      const value = toBase64url(iv) + toBase64url(new Uint8Array(hidden))
      if (value.length <= maxBytes) return value
      throw new RangeError(
        `Session of ${value.length} bytes does not fit a cookie of ${maxBytes}: ` +
          'keep less in it, or keep it in a store on the server',
      )
    },
    async open(value, secrets, name = '') {
      const bytes = fromBase64url(value)
      if (!bytes || bytes.length <= NONCE) return undefined
      for (const secret of secrets) {
        const text = await decrypt(bytes, await keyOf(secret), name)
        if (text === undefined) continue
        const [id, expires, data] = JSON.parse(text)
        return expires > now() / 1000 ? { id, data } : undefined
      }
      return undefined
    },
  }
}

/** The cookie's name is authenticated with the data (NIST SP 800-38D, additional authenticated data). */
const cipherOf = (iv: Uint8Array<ArrayBuffer>, cookie: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: toBytes(cookie),
})

const decrypt = async (bytes: Uint8Array<ArrayBuffer>, key: CryptoKey, cookie: string): Promise<string | undefined> => {
  try {
    const plaintext = await crypto.subtle.decrypt(cipherOf(bytes.slice(0, NONCE), cookie), key, bytes.slice(NONCE))
    return new TextDecoder().decode(plaintext)
  } catch {
    return undefined
  }
}

/** HKDF (RFC 5869); `info` makes the key differ from other keys of the same secret. */
const deriveKey = async (secret: string): Promise<CryptoKey> => {
  const base = await crypto.subtle.importKey('raw', toBytes(secret), 'HKDF', false, ['deriveKey'])
  const info = toBytes('sluice cookie session')
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
