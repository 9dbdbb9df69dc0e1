/** A string as UTF-8; bytes unchanged. */
export const toBytes = (data: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data

/** Bytes as lower-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Bytes as base64 (RFC 4648 §4), with padding. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  // Converted in pieces, because the number of arguments of a call is limited
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** The bytes of a base64 string (RFC 4648 §4), with or without padding; `undefined` for any other string. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Bytes as base64url without padding (RFC 4648 §5): safe in cookies, headers and URLs. */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')

/** The bytes of a base64url string; `undefined` for any other string. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^[\w-]*$/.test(text) ? fromBase64(text.replace(/-/g, '+').replace(/_/g, '/')) : undefined
