import * as entries from '../internal/cache/entries.ts'
import { createFlights } from '../internal/cache/flights.ts'
import { freshnessOf } from '../internal/cache/policy.ts'
import { createRenewals } from '../internal/cache/renewals.ts'
import { toEntry } from '../internal/cache/to-entry.ts'
import { reportFailure } from '../internal/error/report-failure.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import type { CacheEntry, CacheStore } from '../internal/store/cache-store.ts'
import { checkDelay } from '../internal/time/delay.ts'
import type { Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import { cancelBody } from '../kernel/boundary.ts'
import { internalsOf } from '../kernel/context.ts'
import { editInner, onResponse } from '../kernel/edits.ts'
import { waitUntil } from '../pipe/wait-until.ts'
import { memoryCache } from '../stores/memory-cache.ts'

export type { CacheEntry, CacheStore } from '../internal/store/cache-store.ts'

/** Options of {@link cache}. */
export interface CacheOptions<Extra = unknown> {
  /** Where responses are stored. @default memoryCache() */
  readonly store?: CacheStore
  /** Lifetime of responses without caching headers, in whole seconds, to requests without a cookie. @default none */
  readonly maxAge?: number
  /** How long a stale response is sent while it is refreshed, in seconds, unless its headers say so. @default 0 */
  readonly staleWhileRevalidate?: number
  /** How long a stale response is sent instead of an error from 500 on, unless its headers say so. @default 0 */
  readonly staleIfError?: number
  /** Returns the cache key, or `undefined` to bypass the cache. @default the URL with its query */
  readonly key?: (ctx: CallbackContext<Extra>) => Awaitable<string | undefined>
  /** Names for purging responses together: a list, or a function of a response. @default [] */
  readonly tags?:
    | readonly string[]
    | ((ctx: CallbackContext<Extra>, response: Response) => Awaitable<readonly string[]>)
  /** Largest body that is stored, in bytes. @default 1048576 */
  readonly limit?: number
  /** How long a request waits for another that produces the same response, in milliseconds. @default 10000 */
  readonly waitMs?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The middleware, with `purge`. */
export interface Cache<Extra = unknown> extends Middleware<{}, {}, Extra> {
  /** Remove every response with the tag. */
  purge(tag: string): Promise<void>
}

/**
 * Store responses to GET, and reuse them for GET and HEAD (RFC 9111, as a shared cache).
 *
 * Obeys `Cache-Control`, `Expires` and `Vary` of responses, and sends `Age`. Stores responses to `Authorization`, of a
 * session or with `Set-Cookie` (without that header) only if they are `public`. One request produces a response while
 * others wait for it. A successful request with an unsafe method removes its URL from the cache.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * const pages = cache({ maxAge: 60, staleWhileRevalidate: 600, tags: ['pages'] })
 * createApp().use('/news/*', pages).get('/news/:id', show)
 * await pages.purge('pages')
 */
export const cache = <Extra = unknown>(options: CacheOptions<Extra> = {}): Cache<Extra> => {
  const names = 'store:object maxAge staleWhileRevalidate staleIfError key:function tags limit waitMs now:function'
  checkNames('cache', options, names)
  const { store = memoryCache(), limit = 1_048_576, waitMs = 10_000, now = Date.now } = options
  const { key: keyOf = (ctx: Context) => ctx.url.href, tags = [] } = options as CacheOptions
  const { maxAge = 0, staleWhileRevalidate = 0, staleIfError = 0 } = options
  for (const [name, value] of Object.entries({ maxAge, staleWhileRevalidate, staleIfError }))
    checkWhole(value, `cache: ${name}`, 'seconds')
  checkWhole(limit, 'cache: limit', 'bytes')
  checkDelay(waitMs, 'cache: waitMs', 1)
  checkOption(typeof tags === 'function' || Array.isArray(tags), 'cache: tags', 'a list or a function', tags)
  checkOption(typeof store?.get === 'function', 'cache: store', 'a store of sluice/stores', store)
  const flights = createFlights<CacheEntry>(waitMs)
  const renewals = createRenewals()

  const produce = async (
    ctx: Context,
    next: () => Awaitable<Response>,
    key: string,
    variant: entries.StoredVariant,
    skipSharing: boolean,
  ): Promise<Response> => {
    const header = (name: string): string | null => ctx.header(name)
    const endFlight = skipSharing ? undefined : flights.begin(variant.key)
    // On Workers, a request is cut off when its client leaves, but other requests wait for this work
    if (endFlight) waitUntil(ctx, flights.get(variant.key)!)
    const { entry: stale } = variant
    let generation: [unknown] | undefined
    await reportFailure(async () => {
      generation = [await store.begin?.()]
    })
    const staleInstead = ({ status }: Response): CacheEntry | undefined =>
      status >= 500 && stale && freshnessOf(stale.life, entries.ageOf(stale, now())) !== 'none' ? stale : undefined
    /** Send the stale response instead of an error, and share it with the requests that wait. */
    const orStale = (response: Response): Response | undefined => {
      const entry = staleInstead(response)
      if (entry) cancelBody(response)
      endFlight?.(entry)
      return entry && entries.storedResponse(entry, header, now())
    }
    const storeResponse = async (response: Response): Promise<Response | undefined> => {
      if (staleInstead(response)) return orStale(response)
      let shared: CacheEntry | undefined
      try {
        const [restored, entry] = await toEntry(internalsOf(ctx), response, {
          defaults: options,
          limit,
          time: now(),
          tags: () => (typeof tags === 'function' ? tags(ctx, response) : tags),
        })
        // The requests that wait may know of changes that were made in the meantime
        const isOutdated =
          entry && generation && (await entries.storeEntry(store, key, entry, header, generation[0])) === false
        if (!isOutdated) shared = entry
        return restored
      } finally {
        endFlight?.(shared)
      }
    }
    return editInner(internalsOf(ctx), next, storeResponse, orStale)
  }

  const middleware = async function cache(ctx: Context, next: () => Awaitable<Response>): Promise<Response> {
    const rawKey = await keyOf(ctx)
    const header = (name: string): string | null => ctx.header(name)
    if (rawKey === undefined || /^(?:OPTIONS|TRACE|CONNECT)$/.test(ctx.method)) return next()
    const key = entries.primaryKeyOf(rawKey)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      // RFC 9111 §4.4
      onResponse(ctx, async ({ status }) => {
        if (status < 400) await reportFailure(() => store.delete(key))
      })
      return next()
    }
    if (header('range') !== null) return next()
    const base = internalsOf(ctx)
    const renewed = renewals.has(base)

    let skipSharing = header('authorization') !== null
    for (let round = 1; ; round++) {
      const lookup = await entries.findEntry(store, key, header, now)
      const { stale, response } = lookup
      if (response && !renewed) {
        const renewal = stale && renewals.begin(base, lookup.key)
        if (renewal) waitUntil(ctx, renewal)
        return response
      }
      const flight = skipSharing || renewed ? undefined : flights.get(lookup.key)
      if (!flight) return ctx.method === 'GET' ? produce(ctx, next, key, lookup, skipSharing) : next()
      const shared = await flight
      if (shared && !shared.vary.length && entries.mayServe(shared, header))
        return entries.storedResponse(shared, header, now())
      // If the other request left nothing to share, this one runs its own handler. If it left another variant, look up
      // once more
      skipSharing = shared === undefined || round > 1
    }
  }
  return Object.assign(middleware, {
    async purge(tag: string): Promise<void> {
      await store.purge(tag)
    },
  })
}
