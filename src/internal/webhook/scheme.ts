/** The signature data of a request. */
export interface Claim {
  /** The signed text before the body. */
  readonly prefix?: string
  /** Time of the signature, in seconds since 1970. */
  readonly timestamp?: number
  /** Each as lower-case hexadecimal digits. */
  readonly signatures: readonly string[]
  /** The sender's id of the message, if a signed header has one. */
  readonly id?: string
}

/** How a sender signs. All use HMAC-SHA-256; they differ in the signed text and in the place of the signature. */
export interface Scheme {
  readonly name: string
  readonly header: string
  /** The bytes of a secret; `undefined` if it is not valid. */
  readonly bytesOf: (secret: string) => Uint8Array<ArrayBuffer> | undefined
  /** The signature data; `undefined` without a signature. */
  readonly read: (header: (name: string) => string, name: string) => Claim | undefined
  /** The id of a message, which must be signed too; `undefined` if it has none: then its body is its id. */
  readonly idOf?: (claim: Claim, body: Uint8Array) => string | undefined
}

/** Whole seconds; anything else is not a valid time. */
export const secondsOf = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)

/** The digits of a SHA-256 signature in lower case, as a list; without elements for any other text. */
export const digitsOf = (hex: string | undefined): string[] =>
  hex && /^[\da-f]{64}$/i.test(hex) ? [hex.toLowerCase()] : []
