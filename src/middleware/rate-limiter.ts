import { peerOf } from '#runtime/core'
import { networkOf } from '../internal/client/address.ts'
import { boundedKey } from '../internal/crypto/bounded-key.ts'
import { type HeaderDraft, quotaHeaders } from '../internal/header/quota-headers.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { RateLimitAlgorithm, RateLimitHit, RateLimitStore } from '../internal/store/rate-limit-store.ts'
import type { Awaitable, CallbackContext, Context, Middleware, Next } from '../internal/types/context.ts'
import { addEdit } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'
import { memoryRateLimit } from '../stores/memory-rate-limit.ts'

export type {
  RateLimitAlgorithm,
  RateLimitHit,
  RateLimitRule,
  RateLimitState,
  RateLimitStore,
} from '../internal/store/rate-limit-store.ts'

/** Options of {@link rateLimiter}. */
export interface RateLimiterOptions<Extra = unknown> {
  /** Requests that a key may make in a window; 0 refuses all. */
  readonly max: number
  /** Length of a window in milliseconds. It begins with a key's first request. */
  readonly windowMs: number
  /** `error` of a refusal. @default 'Too many requests, please try again later.' */
  readonly message?: string
  /**
   * Requests with the same key are counted together, and so are those without a key. Behind proxies, use
   * `clientKey({ trustProxy })` of `sluice/client-address`: by default no header is trusted.
   * @default the socket's address, IPv6 by its /56 network
   */
  readonly keyGenerator?: (ctx: CallbackContext<Extra>) => Awaitable<string | undefined>
  /** `RateLimit-*` headers: `true` for IETF draft 6, or another draft by name. @default true */
  readonly standardHeaders?: boolean | HeaderDraft
  /** `X-RateLimit-*` headers, the reset as seconds since 1970. @default false */
  readonly legacyHeaders?: boolean
  /** Where counts are stored; a function if the store comes with the request, on Workers. @default memoryRateLimit() */
  readonly store?: RateLimitStore | ((ctx: CallbackContext<Extra>) => Awaitable<RateLimitStore>)
  /** Prefix of the keys in a shared store, and name of the quota in draft 8. @default '<max>-in-<seconds>sec' */
  readonly name?: string
  /** An algorithm other than fixed windows: `slidingWindow` or `tokenBucket` of `sluice/rate-limit/…`. */
  readonly algorithm?: RateLimitAlgorithm
  /** Requests that are neither counted nor refused. */
  readonly skip?: (ctx: CallbackContext<Extra>) => Awaitable<boolean>
  /** Do not count requests whose response status is below 400. @default false */
  readonly skipSuccessfulRequests?: boolean
  /** Do not count requests whose response status is 400 or above. @default false */
  readonly skipFailedRequests?: boolean
  /** Accept requests while the store fails; without this option, its error is a 500. @default false */
  readonly passOnStoreError?: boolean
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

const NAMES =
  'max windowMs message:string keyGenerator:function standardHeaders legacyHeaders:boolean store name:string algorithm:object skip:function skipSuccessfulRequests:boolean skipFailedRequests:boolean passOnStoreError:boolean now:function'

/**
 * Refuse clients that send too many requests: 429 with `{ error, retryAfter }` and `Retry-After`.
 *
 * Reads the socket's address and sends the quota headers on every response.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(rateLimiter({ max: 100, windowMs: 60_000 }))
 */
export const rateLimiter = <Extra = unknown>(options: RateLimiterOptions<Extra>): Middleware<{}, {}, Extra> => {
  checkNames('rateLimiter', options, NAMES)
  const { max, windowMs, message = 'Too many requests, please try again later.', algorithm } = options
  const { now = Date.now, passOnStoreError, skipSuccessfulRequests, skipFailedRequests } = options
  const { store = memoryRateLimit({ now }), keyGenerator = socketKey, skip } = options as RateLimiterOptions
  const name = options.name ?? `${max}-in-${windowMs / 1000}sec`
  // Otherwise a client of the limiter `login` could choose a key of the limiter `login:ip`
  const prefix = name.replaceAll(':', '%3A')
  const undoesHits = skipSuccessfulRequests || skipFailedRequests
  checkWhole(max, 'rateLimiter: max', 'requests')
  checkWhole(windowMs, 'rateLimiter: windowMs', 'milliseconds', 1)
  const isStore = typeof store === 'function' || typeof store?.increment === 'function'
  checkOption(isStore, 'rateLimiter: store', 'a store or a function', store)
  const isAlgorithm = algorithm === undefined || typeof algorithm?.hit === 'function'
  checkOption(isAlgorithm, 'rateLimiter: algorithm', 'an algorithm of sluice/rate-limit', typeof algorithm)
  checkOption(
    !algorithm || (!undoesHits && (typeof store === 'function' || store.algorithms)),
    'rateLimiter: algorithm',
    'no algorithm with skipSuccessfulRequests, skipFailedRequests or a store of fixed windows',
    algorithm?.name,
  )
  const quotaEdits = quotaHeaders({ ...options, name })
  const rule = algorithm && { max, algorithm }

  /** `null` if the store fails and `passOnStoreError` is set. */
  const giveUp = (error: unknown): null => {
    if (passOnStoreError) return null
    throw error
  }

  let hasWarned = false
  const limit = (ctx: Context, next: Next, client: string | undefined): Awaitable<Response> => {
    if (!client && !hasWarned) {
      hasWarned = true
      console.warn('rateLimiter: requests without a key share one limit')
    }
    return whenResolved(typeof store === 'function' ? tryCall(store, ctx, giveUp) : store, (counter) => {
      if (counter === null) return next()
      const key = options.name || counter.shared ? `${prefix}:${client}` : `${client}`
      const count = (): Awaitable<RateLimitHit> =>
        rule ? counter.increment(key, windowMs, rule) : counter.increment(key, windowMs)
      return whenResolved(tryCall<undefined, RateLimitHit | null>(count, undefined, giveUp), (hit) => {
        if (hit === null) return next()
        const reset = +hit.resetTime
        const seconds = Math.max(0, Math.ceil((reset - now()) / 1000))
        for (const edit of quotaEdits(Math.max(0, max - hit.count), seconds, reset)) addEdit(ctx, edit)
        if (undoesHits) {
          addEdit(ctx, async ({ status }) => {
            // A hit of a window that is over must not be taken from the next. If this fails, the request stays counted
            if ((status < 400 ? skipSuccessfulRequests : skipFailedRequests) && now() < reset)
              await Promise.resolve(counter.decrement?.(key)).catch(() => {})
          })
        }
        // In this order, a count that is not a number refuses the request
        if (hit.count <= max) return next()
        return refuse(ctx, 429, message, { retryAfter: seconds }, ['retry-after', `${seconds}`])
      })
    })
  }

  const middleware: Middleware = function rateLimiter(ctx, next) {
    return whenResolved(skip?.(ctx), (skipped) =>
      skipped
        ? next()
        : whenResolved(keyGenerator(ctx), (key) =>
            whenResolved(key && boundedKey(key), (bounded) => limit(ctx, next, bounded)),
          ),
    )
  }
  return Object.assign(middleware, { describes: { statuses: [429] }, '~passes': true })
}

const socketKey = (ctx: Context): string | undefined => {
  const address = peerOf(ctx.request, ctx.env, ctx.execution)
  return address && networkOf(address)
}
