import { fromBase64 } from '../internal/crypto/base64.ts'
import { toHex } from '../internal/crypto/hex.ts'
import { toBytes } from '../internal/crypto/to-bytes.ts'
import { checkOption } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { NAMES, receive, type SignedOptions, type WebhookMessage } from '../internal/webhook/receive.ts'
import { digitsOf, type Scheme, secondsOf } from '../internal/webhook/scheme.ts'
import { refuse } from '../pipe/refuse.ts'

export type { WebhookMessage } from '../internal/webhook/receive.ts'

/** The names of the signature schemes. */
export type WebhookScheme = 'standard' | 'github' | 'stripe'

/** Options of {@link webhook}. */
export interface WebhookOptions extends SignedOptions {
  /** Signature scheme: `standard` (Standard Webhooks, Svix), `github` or `stripe`. */
  readonly scheme: WebhookScheme
}

/**
 * Accept only webhook messages that are signed by their sender. The raw body is checked, and stays readable.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing, wrong or too old. With a `store`, a
 * message that was already handled successfully gets 200 and is not handled again; one that failed may be sent again.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks/stripe', webhook({ scheme: 'stripe', secret: env.STRIPE_SECRET }), handle)
 */
export const webhook = (options: WebhookOptions): Middleware<{ webhook: WebhookMessage }> => {
  const scheme = [STANDARD, GITHUB, STRIPE].find(({ name }) => name === options?.scheme)
  checkOption(scheme, 'webhook: scheme', 'one of standard, github, stripe', options?.scheme)
  return receive('webhook', scheme, options, { refuse }, `scheme ${NAMES}`)
}

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
