import { bytesOf, createResponse, hmac, rereadable } from '#runtime/core'
import { toBytes, toHex } from '../internal/crypto/encoding.ts'
import { equal } from '../internal/crypto/equal.ts'
import { sha256Of } from '../internal/crypto/sha256.ts'
import { randomToken } from '../internal/crypto/token.ts'
import { type Claim, SCHEMES } from '../internal/crypto/webhook-scheme.ts'
import { reportFailure } from '../internal/error/report-failure.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import type { IdempotencyStore } from '../internal/store/idempotency-store.ts'
import type { Middleware } from '../internal/types/context.ts'
import { editInner } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

/** The names of the signature schemes. */
export type WebhookScheme = 'standard' | 'github' | 'stripe'

/** Options of {@link webhook}. */
export interface WebhookOptions {
  /** Signature scheme: `standard` (Standard Webhooks, Svix), `github` or `stripe`. */
  readonly scheme: WebhookScheme
  /** The secret of the sender, or several during rotation. `whsec_…` of Standard Webhooks is base64. */
  readonly secret: string | readonly string[]
  /** Header with the signature; for `standard` the prefix of three, such as `svix`. @default that of the scheme */
  readonly header?: string
  /** Maximum difference between the time of a message and now, in seconds; GitHub sends no time. @default 300 */
  readonly tolerance?: number
  /**
   * Remembers messages, so that each is handled only once: any store of `idempotency`, which several senders may share.
   * Ids belong to the last of the secrets, so put the oldest last. @default none
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
  /** Time of the signature, in seconds since 1970; `undefined` for GitHub. */
  readonly timestamp: number | undefined
  /** The body as it was signed. */
  readonly body: Uint8Array
}

/** Maximum number of signatures in a header that are compared. */
const MAX_SIGNATURES = 16

/** Stored for a message that was handled; a claim is never that short. */
const DONE = 'done'

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
  const scheme = SCHEMES.find(({ name }) => name === options?.scheme)
  checkOption(scheme, 'webhook: scheme', 'one of standard, github, stripe', options?.scheme)
  checkNames('webhook', options, 'scheme secret header:string tolerance store:object maxAge limit now:function')
  const { secret, store, tolerance = 300, maxAge = 86_400, limit = 1_048_576, now = Date.now } = options
  const { header = scheme.header } = options
  checkOption(isToken(header), 'webhook: header', 'a field name', header)
  const secrets = [secret].flat()
  const keys = secrets.flatMap((text) => (typeof text === 'string' && scheme.bytesOf(text)) || [])
  const isValid = keys.length && keys.length === secrets.length && keys.every(({ length }) => length)
  checkOption(isValid, 'webhook: secret', 'a secret of the scheme, or a list of secrets', typeof secret)
  checkOption(!store || typeof store.take === 'function', 'webhook: store', 'a store', typeof store)
  checkWhole(tolerance, 'webhook: tolerance', 'seconds')
  checkWhole(maxAge, 'webhook: maxAge', 'seconds', 1)
  checkWhole(limit, 'webhook: limit', 'bytes')
  // The oldest secret: during a rotation, a message that is sent again keeps its key in the store
  const sender = secrets.at(-1)!

  const middleware: Middleware<{ webhook: WebhookMessage }> = async function webhook(ctx, next) {
    const claim = scheme.read((name) => ctx.header(name) ?? '', header)
    if (!claim) return refuse(ctx, 401, 'Missing signature')
    const { timestamp } = claim
    // In this order, a time that is not a number refuses the message
    if (timestamp !== undefined && !(Math.abs(now() / 1000 - timestamp) <= tolerance))
      return refuse(ctx, 401, 'Signature is too old')
    const body = await bytesOf(rereadable(ctx.request), limit)
    if (!(await signedBy(keys, claim, body))) return refuse(ctx, 401, 'Invalid signature')
    const id = scheme.idOf?.(claim, body) ?? (await sha256Of(body))
    ctx.state.webhook = { id, timestamp, body }
    if (!store) return next()

    const mark = randomToken(22)
    // Two senders may choose the same id
    const key = await sha256Of(`webhook ${scheme.name}`, sender, id)
    const existing = await store.take(key, mark, 60)
    if (existing === DONE) return createResponse('{"received":true,"duplicate":true}', 'application/json')
    if (existing !== undefined)
      return refuse(ctx, 409, 'This message is being handled', undefined, ['retry-after', '60'])
    // The message was handled: an error of the store must not make the sender send it again
    return editInner(ctx, next, ({ status }) =>
      reportFailure(() => (status < 300 ? store.replace(key, mark, DONE, maxAge) : store.release(key, mark))),
    )
  }
  return Object.assign(middleware, { describes: { statuses: store ? [401, 413, 409] : [401, 413] } })
}

/** Whether one of the keys matches one of the signatures; every pair is compared, in constant time. */
const signedBy = async (
  keys: readonly Uint8Array<ArrayBuffer>[],
  { prefix = '', signatures }: Claim,
  body: Uint8Array,
): Promise<boolean> => {
  const head = toBytes(prefix)
  const text = new Uint8Array(head.length + body.length)
  text.set(head)
  text.set(body, head.length)
  let matches = false
  for (const key of keys) {
    const expected = await hmac(key, text, toHex)
    for (const signature of signatures.slice(0, MAX_SIGNATURES)) if (equal(expected, signature)) matches = true
  }
  return matches
}
