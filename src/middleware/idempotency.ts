import { bytesOf, rereadable } from '#runtime/core'
import { sha256Of } from '../internal/crypto/sha256.ts'
import { randomToken } from '../internal/crypto/token.ts'
import { reportFailure } from '../internal/error/report-failure.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { checkMethods } from '../internal/options/check-methods.ts'
import type { IdempotencyStore } from '../internal/store/idempotency-store.ts'
import { type RecordedResponse, recordResponse, replayResponse } from '../internal/store/recorded-response.ts'
import type { Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { editInner } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

export type { IdempotencyStore } from '../internal/store/idempotency-store.ts'

/** Options of {@link idempotency}. */
export interface IdempotencyOptions<Extra = unknown> {
  /** Where responses are stored: `memoryIdempotency`, `redisIdempotency` or `sqlIdempotency` of `sluice/stores/…`. */
  readonly store: IdempotencyStore
  /**
   * Returns the owner of a key, such as the id of the user, so that a client with another's key does not get the
   * response; `() => ''` for responses that everyone may see.
   */
  readonly scope: (ctx: CallbackContext<Extra>) => Awaitable<string>
  /** Methods to which it applies. @default ['POST', 'PATCH'] */
  readonly methods?: readonly string[]
  /** Refuse requests without a key with 400. @default false */
  readonly required?: boolean
  /** How long a response is kept, in seconds. @default 86400 */
  readonly maxAge?: number
  /** Seconds after which the key of an unfinished request is free again. @default 60 */
  readonly lockSeconds?: number
}

const HEADER = 'idempotency-key'

/** Printable characters without quotes, alone or between the quotes of a structured field (RFC 9651 §3.3.3). */
const KEY = /^(?:"([ !#-[\]-~]{1,255})"|([!#-[\]-~]{1,255}))$/

/** The record of a key: stored while the first request runs, and after its response. */
type Entry = { readonly fingerprint: string; readonly response?: RecordedResponse }

/**
 * Respond to a repeated request with the first response (IETF draft Idempotency-Key), so that clients can safely retry.
 *
 * The same key with another request is a 422; a repetition while the first request is running is a 409; a missing or
 * malformed key is a 400. A repeated response has `Idempotency-Replayed: true`, and no cookies. After a status from 500
 * on, 408, 425 or 429 the key is free again. The body is read, within the limit of the request, and stays readable.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * app.post('/payments', idempotency({ store, scope: (ctx) => ctx.state.user.id, required: true }), pay)
 */
export const idempotency = <Extra = unknown>(options: IdempotencyOptions<Extra>): Middleware<{}, {}, Extra> => {
  checkNames('idempotency', options, 'store:object scope methods required:boolean maxAge lockSeconds')
  const { store, methods = ['POST', 'PATCH'], required = false, maxAge = 86_400, lockSeconds = 60 } = options
  const { scope } = options as IdempotencyOptions
  checkOption(typeof store?.take === 'function', 'idempotency: store', 'a store', typeof store)
  const expected = "a function such as (ctx) => ctx.state.user.id, or () => '' without users"
  checkOption(typeof scope === 'function', 'idempotency: scope', expected, scope)
  checkMethods(methods, 'idempotency: methods')
  checkWhole(maxAge, 'idempotency: maxAge', 'seconds', 1)
  checkWhole(lockSeconds, 'idempotency: lockSeconds', 'seconds', 1)

  const middleware: Middleware = async function idempotency(ctx, next) {
    if (!methods.includes(ctx.method)) return next()
    const headerValue = ctx.header(HEADER)
    const [, quoted, bare] = KEY.exec(headerValue ?? '') ?? []
    const key = quoted ?? bare
    if (key === undefined) {
      if (headerValue === null && !required) return next()
      const fault = headerValue === null ? 'missing' : 'malformed'
      return refuse(ctx, 400, `Idempotency-Key is ${fault}`, { code: `idempotency_key_${fault}` })
    }
    const owner = await scope(ctx)
    checkOption(typeof owner === 'string', 'idempotency: scope', 'a function that returns a string', typeof owner)
    const id = await sha256Of('idempotency', owner, key)
    const fingerprint = await fingerprintOf(ctx)
    const claim = JSON.stringify({ fingerprint, claim: randomToken(22) })
    const existing = await store.take(id, claim, lockSeconds)
    if (existing !== undefined) {
      const { fingerprint: first, response } = JSON.parse(existing) as Entry
      if (first !== fingerprint) return refuse(ctx, 422, 'Idempotency-Key was used for another request', REUSED)
      if (!response) return refuse(ctx, 409, 'The first request is still running', RUNNING, ['retry-after', '1'])
      return replayResponse(response) ?? refuse(ctx, 409, 'The first response was too large to store', LOST)
    }
    const free = (): Promise<void> => reportFailure(() => store.release(id, claim))
    /** The work is done: a store that fails now must not turn the response into an error. */
    const storeResponse = async (response: Response): Promise<Response | void> => {
      try {
        if (response.status >= 500 || [408, 425, 429].includes(response.status)) return await free()
        const [recorded, restored] = await recordResponse(response)
        const record: Entry = { fingerprint, response: recorded }
        await reportFailure(() => store.replace(id, claim, JSON.stringify(record), maxAge))
        return restored
      } catch (error) {
        // A body that breaks off becomes an error, after which the client may ask again
        await free()
        throw error
      }
    }
    return editInner(internalsOf(ctx), next, storeResponse)
  }
  const parameters = [{ name: HEADER, in: 'header', required, schema: { type: 'string' } }]
  return Object.assign(middleware, { describes: { statuses: [400, 409, 422], methods, parameters } })
}

const REUSED = { code: 'idempotency_key_reused' }
const RUNNING = { code: 'idempotency_in_progress' }
const LOST = { code: 'idempotency_response_lost' }

/** What must be equal when a key is used again: method, URL, content type and body. */
const fingerprintOf = async (ctx: Context): Promise<string> =>
  sha256Of(`${ctx.method} ${ctx.url.href}`, ctx.header('content-type') ?? '', await bytesOf(rereadable(ctx.request)))
