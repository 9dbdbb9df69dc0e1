/**
 * Bytes as base64url without padding (RFC 4648 §5): safe in cookies, headers and URLs.
 *
 * @example
 * toBase64url(new Uint8Array([251, 255])) // '-_8'
 */
export const toBase64url = (bytes: Uint8Array): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

/** The bytes of a base64url string; `undefined` for any other string. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    if (!/^[\w-]*$/.test(text)) return undefined
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
