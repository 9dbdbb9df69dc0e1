import { bytesOf, createResponse, hmac, rereadable } from '#runtime/core'
import { editInner } from '../../kernel/edits.ts'
import { equal } from '../crypto/equal.ts'
import { toHex } from '../crypto/hex.ts'
import { sha256Of } from '../crypto/sha256.ts'
import { toBytes } from '../crypto/to-bytes.ts'
import { randomToken } from '../crypto/token.ts'
import { reportFailure } from '../error/reported.ts'
import { isToken } from '../header/field-name.ts'
import { checkNames, checkOption, checkWhole } from '../options/check.ts'
import type { AnyContext, Awaitable, FieldList, Middleware } from '../types/context.ts'
import type { Claim, Scheme } from './scheme.ts'

/** The part of a store of `idempotency` that is used here. */
interface MessageStore {
  take(key: string, claim: string, seconds: number): Awaitable<string | undefined>
  replace(key: string, claim: string, value: string, seconds: number): Awaitable<unknown>
  release(key: string, claim: string): Awaitable<unknown>
}

/** Options of a webhook whose scheme is known. */
export interface SignedOptions {
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
   * Remembers messages, so that each is handled only once: any store of `idempotency`. Several senders may share one:
   * ids are remembered for each secret, the last of several. @default none
   */
  readonly store?: MessageStore
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

/** Functions of the public modules, which this one must not import. */
export interface RefuseFunction {
  refuse(ctx: AnyContext, status: number, error: string, more?: object, headers?: FieldList): Awaitable<Response>
}

/** How long a message that is being handled blocks others with the same id, in seconds. */
const CLAIM_SECONDS = 60

/** Maximum number of signatures in a header that are compared. */
const MOST = 16

/** Stands for a secret that is not valid. */
const EMPTY = /* @__PURE__ */ new Uint8Array()

/** Stored for a message that was handled; a claim is never that short. */
const DONE = 'done'

/** The options besides `secret`, as `checkNames` reads them. */
export const NAMES = 'secret header:string tolerance store:object maxAge limit now:function'

/**
 * A middleware that accepts only messages which are signed by the scheme.
 *
 * @param feature the public function whose options these are
 */
export const receive = (
  feature: string,
  scheme: Scheme,
  options: SignedOptions,
  { refuse }: RefuseFunction,
  names: string = NAMES,
): Middleware<{ webhook: WebhookMessage }> => {
  checkNames(feature, options, names)
  const { secret, store, tolerance = 300, maxAge = 86_400, limit = 1_048_576, now = Date.now } = options
  const { header = scheme.header } = options
  checkOption(isToken(header), `${feature}: header`, 'a field name', header)
  const secrets = [secret].flat()
  const keys = secrets.map((one) => (typeof one === 'string' && scheme.bytesOf(one)) || EMPTY)
  const isValid = keys.length && keys.every(({ length }) => length)
  checkOption(isValid, `${feature}: secret`, 'a secret of the scheme, or a list of such', typeof secret)
  checkOption(!store || typeof store.take === 'function', `${feature}: store`, 'a store', typeof store)
  checkWhole(tolerance, `${feature}: tolerance`, 'seconds')
  checkWhole(maxAge, `${feature}: maxAge`, 'seconds', 1)
  checkWhole(limit, `${feature}: limit`, 'bytes')
  // The oldest one: during a rotation, a message that is sent again has the same key under the new secret
  const sender = secrets.at(-1)!

  const middleware: Middleware<{ webhook: WebhookMessage }> = async function webhook(ctx, next) {
    const claim = scheme.read((name) => ctx.header(name) ?? '', header)
    if (!claim) return refuse(ctx, 401, 'Missing signature')
    const { timestamp } = claim
    // Written in this order, a time that is not a number refuses the message
    if (timestamp !== undefined && !(Math.abs(now() / 1000 - timestamp) <= tolerance))
      return refuse(ctx, 401, 'Signature is too old')
    const body = await bytesOf(rereadable(ctx.request), limit)
    if (!(await signedBy(keys, claim, body))) return refuse(ctx, 401, 'Invalid signature')
    const id = scheme.idOf?.(claim, body) ?? (await sha256Of(body))
    ctx.state.webhook = { id, timestamp, body }
    if (!store) return next()

    const mark = randomToken(22)
    // Senders choose ids, so the sender distinguishes the messages of one from all others
    const key = await sha256Of(`webhook ${scheme.name}`, sender, id)
    const there = await store.take(key, mark, CLAIM_SECONDS)
    if (there === DONE) return createResponse('{"received":true,"duplicate":true}', 'application/json')
    if (there !== undefined) return refuse(ctx, 409, 'This message is being handled', undefined, ['retry-after', '60'])
    // The message was handled: after an error of the store, the sender would send it again
    return editInner(ctx, next, ({ status }) =>
      reportFailure(() => (status < 300 ? store.replace(key, mark, DONE, maxAge) : store.release(key, mark))),
    )
  }
  return Object.assign(middleware, { describes: { answers: store ? [401, 413, 409] : [401, 413] } })
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
    for (const signature of signatures.slice(0, MOST)) if (equal(expected, signature)) matches = true
  }
  return matches
}
