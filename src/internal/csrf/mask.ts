import { randomToken } from '../crypto/token.ts'

/**
 * Hide a token behind a random pad of its length, in hexadecimal: each copy is different, and all stand for the same
 * token.
 */
export const maskToken = (token: string): string => {
  const pad = codesOf(randomToken(token.length))
  const hidden = codesOf(token).map((code, index) => code ^ pad[index]!)
  return [...pad, ...hidden].map((code) => code.toString(16).padStart(2, '0')).join('')
}

/** The token behind a pad. The result for strings other than those of {@link maskToken} is not a token. */
export const unmask = (masked: string): string => {
  const codes = (masked.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))
  const half = codes.length / 2
  return String.fromCharCode(...codes.slice(half).map((code, index) => code ^ codes[index]!))
}

const codesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0))
