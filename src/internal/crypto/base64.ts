/** The bytes of a base64 string (RFC 4648 §4), with or without padding; `undefined` for any other string. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return /^[A-Za-z\d+/]*={0,2}$/.test(text)
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : undefined
  } catch {
    return undefined
  }
}

/** Bytes as base64 (RFC 4648 §4), with padding. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  // Converted in pieces, because the number of arguments of a call is limited
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}
