import { toBase64url, toBytes } from '../../internal/crypto/encoding.ts'
import type { Digest, Hmac } from '../contract.ts'

export const digest: Digest = async (data) => new Uint8Array(await crypto.subtle.digest('SHA-256', data))

/** Imported keys by their secret, because importing costs more than using a key. */
const keys: Map<string | Uint8Array, CryptoKey> = /* @__PURE__ */ new Map()

const MAX_KEYS = 64

export const hmac: Hmac = async (secret, data, encode = toBase64url) => {
  const key = keys.get(secret) ?? (await importKey(secret))
  return encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(data))))
}

const importKey = async (secret: string | Uint8Array<ArrayBuffer>): Promise<CryptoKey> => {
  const key = await crypto.subtle.importKey('raw', toBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(secret, key)
  return key
}
