import { bytesOf, rereadable } from '#runtime/request'
import type { Middleware } from '../context.ts'
import { randomToken } from '../internal/crypto/token.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { SCHEMES, secretBytes, signedBy, type WebhookScheme } from '../internal/webhook/schemes.ts'
import { onResponse } from '../on-response.ts'
import { refuse } from '../refuse.ts'
import { json } from '../respond/json.ts'
import type { IdempotencyStore } from '../stores/idempotency-store.ts'

export type { WebhookScheme } from '../internal/webhook/schemes.ts'

/** Options of {@link webhook}. */
export interface WebhookOptions {
  /** Signature scheme: `standard` (Standard Webhooks, Svix), `github` or `stripe`. */
  readonly scheme: WebhookScheme
  /** The secret of the sender, or several during rotation. `whsec_…` of Standard Webhooks is base64. */
  readonly secret: string | readonly string[]
  /**
   * Header with the signature; for `standard`, the prefix of its three headers, such as `svix`. @default that of the
   * scheme
   */
  readonly header?: string
  /** Maximum difference between the time of a message and now, in seconds; GitHub sends no time. @default 300 */
  readonly tolerance?: number
  /**
   * Remembers messages, so that each is handled only once: any store of `idempotency`. Several senders may share one: ids
   * are remembered for each secret, the last of several. @default none
   */
  readonly store?: IdempotencyStore
  /** How long a message is remembered, in seconds. @default 86400 */
  readonly maxAge?: number
  /** Largest body, in bytes. @default 1048576 */
  readonly limit?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A message with a valid signature. */
export interface WebhookMessage {
  /** Id of the message: the same when it is sent again. */
  readonly id: string
  /** When it was signed, in seconds since 1970; `undefined` for GitHub. */
  readonly timestamp: number | undefined
  /** The body as it was signed. */
  readonly body: Uint8Array
}

/** How long a message that is being handled blocks others with the same id, in seconds. */
const CLAIM_SECONDS = 60

/** Maximum number of signatures in a header that are compared. */
const MOST = 16

/**
 * Accept only webhook messages that are signed by their sender. The raw body is checked, and stays readable.
 *
 * Writes `ctx.state.webhook`. Responds with 401 for a signature that is missing, wrong or too old. With a `store`, a message
 * that was already handled successfully gets 200 and is not handled again; one that failed may be sent again.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/hooks/stripe', webhook({ scheme: 'stripe', secret: env.STRIPE_SECRET }), async (ctx) => handle(await ctx.json()))
 */
export const webhook = (options: WebhookOptions): Middleware<{ webhook: WebhookMessage }> => {
  checkNames('webhook', options, 'scheme secret header:string tolerance store:object maxAge limit now:function')
  const { scheme, secret, store, tolerance = 300, maxAge = 86_400, limit = 1_048_576, now = Date.now } = options
  const known = Object.hasOwn(SCHEMES, scheme)
  checkOption(known, 'webhook: scheme', 'one of standard, github, stripe', scheme)
  const rules = SCHEMES[scheme]
  const { header = rules.header } = options
  const secrets = [secret].flat()
  const fine = secrets.length && secrets.every((one) => typeof one === 'string' && secretBytes(scheme, one)?.length)
  checkOption(fine, 'webhook: secret', 'a secret of the scheme, or a list of such', typeof secret)
  checkOption(!store || typeof store.take === 'function', 'webhook: store', 'a store', typeof store)
  checkWhole(tolerance, 'webhook: tolerance', 'seconds')
  checkWhole(maxAge, 'webhook: maxAge', 'seconds', 1)
  checkWhole(limit, 'webhook: limit', 'bytes')
  const keys = secrets.map((one) => secretBytes(scheme, one)!)
  // The oldest one: during a rotation, a message that is sent again has the same key under the new secret
  const sender = secrets.at(-1)!

  return async function webhook(ctx, next) {
    const claim = rules.read((name) => ctx.header(name) ?? '', header)
    if (!claim) return refuse(ctx, 401, 'Missing signature')
    const { timestamp, signatures } = claim
    if (timestamp !== undefined && !(Math.abs(now() / 1000 - timestamp) <= tolerance))
      return refuse(ctx, 401, 'Signature is too old')
    const body = await bytesOf(rereadable(ctx.request), limit)
    if (!(await signedBy(keys, claim, body, signatures.slice(0, MOST)))) return refuse(ctx, 401, 'Invalid signature')
    const id = await rules.idOf(claim, body)
    ctx.state.webhook = { id, timestamp, body }
    if (!store) return next()

    const mark = randomToken(22)
    const key = await rules.keyOf(id, sender)
    const there = await store.take(key, mark, CLAIM_SECONDS)
    if (there === DONE) return json({ received: true, duplicate: true })
    if (there !== undefined) return refuse(ctx, 409, 'This message is being handled', undefined, ['retry-after', '60'])
    onResponse(ctx, async ({ status }) => {
      await (status < 300 ? store.replace(key, mark, DONE, maxAge) : store.release(key, mark))
    })
    return next()
  }
}

/** Stored for a message that was handled; a claim is never that short. */
const DONE = 'done'
