/** The bytes of a base64 text (RFC 4648 §4), with or without padding; `undefined` for any other text. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return /^[A-Za-z\d+/]*={0,2}$/.test(text)
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : undefined
  } catch {
    return undefined
  }
}
