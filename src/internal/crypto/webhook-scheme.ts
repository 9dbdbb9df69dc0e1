import { fromBase64, toBytes, toHex } from './encoding.ts'

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
  /** The signed id of a message; `undefined` if it has none: then its body is its id. */
  readonly idOf?: (claim: Claim, body: Uint8Array) => string | undefined
}

/** Whole seconds; anything else is not a valid time. */
const secondsOf = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)

/** The digits of a SHA-256 signature in lower case, as a list, which is empty for any other text. */
const digitsOf = (hex: string | undefined): string[] => (hex && /^[\da-f]{64}$/i.test(hex) ? [hex.toLowerCase()] : [])

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const STANDARD: Scheme = {
  name: 'standard',
  header: 'webhook',
  bytesOf: (secret) => fromBase64(secret.replace(/^whsec_/, '')),
  read(header, name) {
    const id = header(`${name}-id`)
    const time = header(`${name}-timestamp`)
    const timestamp = secondsOf(time)
    if (!id || timestamp === undefined) return undefined
    const signatures = header(`${name}-signature`)
      .split(' ')
      .flatMap((part) => {
        const bytes = part.startsWith('v1,') ? fromBase64(part.slice(3)) : undefined
        return bytes?.length === 32 ? toHex(bytes) : []
      })
    return signatures.length ? { prefix: `${id}.${time}.`, timestamp, signatures, id } : undefined
  },
  idOf: ({ id }) => id,
}

/**
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries. The body is the id:
 * `X-GitHub-Delivery` is not signed, so an attacker who repeats a message could change it.
 */
const GITHUB: Scheme = {
  name: 'github',
  header: 'x-hub-signature-256',
  bytesOf: toBytes,
  read(header, name) {
    const signatures = digitsOf(/^sha256=(.*)/.exec(header(name))?.[1])
    return signatures.length ? { signatures } : undefined
  },
}

/** https://docs.stripe.com/webhooks#verify-manually. A repeated event has another time but the same id. */
const STRIPE: Scheme = {
  name: 'stripe',
  header: 'stripe-signature',
  bytesOf: toBytes,
  read(header, name) {
    const pairs = header(name)
      .split(',')
      .map((pair) => pair.trim().split('=') as [string, string?])
    const time = pairs.find(([key]) => key === 't')?.[1] ?? ''
    const timestamp = secondsOf(time)
    const signatures = pairs.flatMap(([key, hex]) => (key === 'v1' ? digitsOf(hex) : []))
    return signatures.length && timestamp !== undefined ? { prefix: `${time}.`, timestamp, signatures } : undefined
  },
  idOf(_, body) {
    try {
      const { id } = JSON.parse(new TextDecoder().decode(body))
      return typeof id === 'string' && id ? id : undefined
    } catch {
      return undefined
    }
  },
}

/** Every scheme, in the order in which an error lists them. */
export const SCHEMES: readonly Scheme[] = [STANDARD, GITHUB, STRIPE]
