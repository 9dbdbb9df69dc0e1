import { fromBase64 } from '../crypto/base64.ts'
import { equal } from '../crypto/equal.ts'
import { toHex } from '../crypto/hex.ts'
import { sha256Of } from '../crypto/sha256.ts'

/** The names of the signature schemes. */
export type WebhookScheme = 'standard' | 'github' | 'stripe'

/** The signature data of a request. */
export interface Claim {
  /** The signed text before the body. */
  readonly prefix: string
  /** In seconds since 1970. */
  readonly timestamp: number | undefined
  /** Each as lower-case hexadecimal digits. */
  readonly signatures: readonly string[]
  /** The sender's id of the message, if a signed header has one. */
  readonly id?: string
}

interface Scheme {
  readonly header: string
  /** The signature data; `undefined` without a signature. */
  readonly read: (header: (name: string) => string, name: string) => Claim | undefined
  /** The id of a message, which must be signed too. */
  readonly idOf: (claim: Claim, body: Uint8Array) => string | Promise<string>
  /** The id as a key of a store. Senders choose ids, so `sender` distinguishes the messages of one from all others. */
  readonly keyOf: (id: string, sender: string) => Promise<string>
}

/** Whole seconds; anything else is not a valid time. */
const secondsOf = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined)

const HEX = /^[\da-f]{64}$/i

/** All use HMAC-SHA-256; they differ in what is signed, and where the signature is. */
export const SCHEMES: Readonly<Record<WebhookScheme, Scheme>> = {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  standard: {
    header: 'webhook',
    read(header, name) {
      const id = header(`${name}-id`)
      const time = header(`${name}-timestamp`)
      const timestamp = secondsOf(time)
      if (!id || timestamp === undefined) return undefined
      const signatures = header(`${name}-signature`)
        .split(' ')
        .flatMap((one) => {
          const bytes = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
          return bytes?.length === 32 ? toHex(bytes) : []
        })
      return signatures.length ? { prefix: `${id}.${time}.`, timestamp, signatures, id } : undefined
    },
    idOf: ({ id }) => id!,
    keyOf: (id, sender) => sha256Of('webhook standard', sender, id),
  },
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  github: {
    header: 'x-hub-signature-256',
    read(header, name) {
      const [, hex] = /^sha256=(.*)$/.exec(header(name)) ?? []
      return hex && HEX.test(hex) ? { prefix: '', timestamp: undefined, signatures: [hex.toLowerCase()] } : undefined
    },
    // X-GitHub-Delivery is not signed: somebody who repeats a message could give it another id
    idOf: (_, body) => sha256Of(body),
    keyOf: (id, sender) => sha256Of('webhook github', sender, id),
  },
  // https://docs.stripe.com/webhooks#verify-manually
  stripe: {
    header: 'stripe-signature',
    read(header, name) {
      const pairs = header(name)
        .split(',')
        .map((pair) => pair.trim().split('=', 2) as [string, string?])
      const time = pairs.find(([key]) => key === 't')?.[1] ?? ''
      const timestamp = secondsOf(time)
      const signatures = pairs.flatMap(([key, hex = '']) => (key === 'v1' && HEX.test(hex) ? hex.toLowerCase() : []))
      return signatures.length && timestamp !== undefined ? { prefix: `${time}.`, timestamp, signatures } : undefined
    },
    // A repeated event has another time but the same id
    idOf: (_, body) => eventId(body) ?? sha256Of(body),
    keyOf: (id, sender) => sha256Of('webhook stripe', sender, id),
  },
}

const eventId = (body: Uint8Array): string | undefined => {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(body))
    return typeof id === 'string' && id ? id : undefined
  } catch {
    return undefined
  }
}

/** The bytes of a secret; `undefined` if it is not valid for the scheme. */
export const secretBytes = (scheme: WebhookScheme, secret: string): Uint8Array<ArrayBuffer> | undefined =>
  scheme === 'standard' ? fromBase64(secret.replace(/^whsec_/, '')) : new TextEncoder().encode(secret)

/** Whether one of the keys matches one of the signatures; every pair is compared, in constant time. */
export const signedBy = async (
  keys: readonly Uint8Array<ArrayBuffer>[],
  { prefix }: Claim,
  body: Uint8Array,
  signatures: readonly string[],
): Promise<boolean> => {
  const head = new TextEncoder().encode(prefix)
  const text = new Uint8Array(head.length + body.length)
  text.set(head)
  text.set(body, head.length)
  let found = false
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const made = toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, text)))
    for (const signature of signatures) if (equal(made, signature)) found = true
  }
  return found
}
