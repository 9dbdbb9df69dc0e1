import { peerOf } from '#runtime/request'
import { withoutBody } from '#runtime/response'
import type { Awaitable, Context, Middleware } from '../context.ts'
import { directivesOf } from '../internal/cache/directives.ts'
import * as entries from '../internal/cache/entries.ts'
import { createFlights } from '../internal/cache/flights.ts'
import { useOf } from '../internal/cache/policy.ts'
import { type Taken, takeEntry } from '../internal/cache/take-entry.ts'
import type { BaseContext } from '../internal/context/base-context.ts'
import { report } from '../internal/error/report.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { isPersonal } from '../internal/session/session-link.ts'
import { onResponse } from '../on-response.ts'
import { refuse } from '../refuse.ts'
import type { CacheEntry, CacheStore } from '../stores/cache-store.ts'
import { memoryCache } from '../stores/memory-cache.ts'
import { waitUntil as keepFor } from '../wait-until.ts'

/** Options of {@link cache}. */
export interface CacheOptions {
  /** Where answers are kept. @default memoryCache() */
  readonly store?: CacheStore
  /**
   * Life of answers that say nothing of it, in whole seconds. It counts for requests without a cookie alone: what a
   * cookie was sent for may be somebody's own. @default none: such answers are not kept
   */
  readonly maxAge?: number
  /** How long a stale answer is sent while it is made again, in whole seconds, where it says nothing. @default 0 */
  readonly staleWhileRevalidate?: number
  /** How long a stale answer is sent in place of an error of 500 and more, where it says nothing. @default 0 */
  readonly staleIfError?: number
  /** What answers are kept by; nothing for a request that is to pass. @default the address with its query */
  readonly key?: (ctx: Context) => string | undefined
  /** Names by which answers are purged together: a list, or those of an answer. @default [] */
  readonly tags?: readonly string[] | ((ctx: Context, response: Response) => readonly string[])
  /** Longest body that is kept, in bytes. @default 1048576 */
  readonly limit?: number
  /** How long a request waits for another that makes the same answer, in milliseconds. @default 10000 */
  readonly waitMs?: number
  /**
   * Obey the `Cache-Control` of requests: `no-cache`, `no-store`, `max-age`, `min-fresh`, `only-if-cached`. Clients can
   * then go past the cache as they like. @default false
   */
  readonly requestDirectives?: boolean
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The middleware, with what empties it. */
export interface Cache extends Middleware {
  /** Forget every answer with the tag. */
  purge(tag: string): Promise<void>
}

/**
 * Keep answers to GET, and give them again to GET and HEAD (RFC 9111, as a shared cache).
 *
 * Obeys `Cache-Control`, `Expires` and `Vary` of the answer, and sends `Age`. Never keeps `Set-Cookie`, nor answers to
 * `Authorization`, of a session or with `Set-Cookie` unless they are `public`. One request makes an answer while others wait. A
 * request of an unsafe method that succeeds makes its address forgotten.
 *
 * @throws {TypeError} when made, for a bad option.
 * @example
 * const pages = cache({ maxAge: 60, staleWhileRevalidate: 600, tags: ['pages'] })
 * createApp().use('/news/*', pages).get('/news/:id', show)
 * await pages.purge('pages')
 */
export const cache = (options: CacheOptions = {}): Cache => {
  check(options)
  const { store = memoryCache(), limit = 1_048_576, waitMs = 10_000, requestDirectives, now = Date.now } = options
  const { key: keyOf = (ctx: Context) => ctx.url.href, tags = [] } = options
  const flights = createFlights<CacheEntry>(waitMs)
  const renewals = new Set<string>()
  const renewing = new WeakSet<Request>()
  let purges = 0

  /** Make the answer again from the start, after the stale one has left. */
  const renew = (ctx: Context, at: string): void => {
    const { site, raw } = ctx as unknown as BaseContext
    if (renewals.has(at) || !site.fetch) return
    const headers = new Headers(raw.headers)
    for (const name of headers.keys()) if (/^(?:if-.*|content-.*|transfer-encoding)$/.test(name)) headers.delete(name)
    const request = new Request(raw.url, { headers })
    renewals.add(at)
    renewing.add(request)
    // Whoever asked: who has no address is refused by lists, and shares a limit with all of its kind
    const peer = peerOf(ctx.request, ctx.env, ctx.execution)
    const waitUntil = (promise: Promise<unknown>): void => ctx.execution?.waitUntil?.(promise)
    const again = async (): Promise<void> => {
      await null
      try {
        withoutBody(await site.fetch!(request, ctx.env, { ...ctx.execution, waitUntil, peer }))
      } finally {
        renewals.delete(at)
      }
    }
    keepFor(ctx, again())
  }

  /** What is to be kept of an answer, and what is to be sent in its place. */
  const entryOf = (ctx: Context, response: Response): Promise<Taken> =>
    takeEntry(response, (name) => ctx.header(name), {
      personal: isPersonal(ctx),
      defaults: options,
      limit,
      now: now(),
      tags: typeof tags === 'function' ? () => tags(ctx, response) : () => tags,
    })

  const fill = (ctx: Context, key: string, found: entries.Found, alone: boolean): void => {
    const land = alone ? undefined : flights.begin(found.at)
    const before = purges
    onResponse(ctx, async (response) => {
      let outcome: CacheEntry | undefined
      try {
        const { entry: stale } = found
        if (response.status >= 500 && stale && useOf(stale.life, entries.ageOf(stale, now()), {}) !== 'none') {
          outcome = stale
          withoutBody(response)
          return entries.answerWith(stale, (name) => ctx.header(name), now())
        }
        const made = await entryOf(ctx, response)
        // What was begun before a purge may show what was purged
        if (made.entry && before === purges) {
          await entries.keepEntry(store, key, found, made.entry, (name) => ctx.header(name))
          outcome = made.entry
        }
        return made.response
      } finally {
        land?.(outcome)
      }
    })
  }

  const middleware = async function cache(ctx: Context, next: () => Awaitable<Response>): Promise<Response> {
    const key = keyOf(ctx)
    const header = (name: string): string | null => ctx.header(name)
    if (key === undefined || /^(?:OPTIONS|TRACE|CONNECT)$/.test(ctx.method)) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      // RFC 9111 §4.4
      onResponse(ctx, async (response) => {
        if (response.status < 400) await attemptTo(() => store.delete(key))
      })
      return next()
    }
    const asked = requestDirectives ? directivesOf(header('cache-control')) : {}
    if (header('range') !== null || 'no-store' in asked) return next()
    const renewed = renewing.has((ctx as unknown as BaseContext).raw)
    const answer = (entry: CacheEntry): Response => entries.answerWith(entry, header, now())

    let alone = header('authorization') !== null
    for (let round = 1; ; round++) {
      const found = await entries.findEntry(store, key, header)
      const entry = found.entry && entries.suits(found.entry, header) ? found.entry : undefined
      const use = entry ? useOf(entry.life, entries.ageOf(entry, now()), asked) : 'none'
      if (entry && !renewed && (use === 'fresh' || use === 'revalidate')) {
        if (use === 'revalidate') renew(ctx, found.at)
        return answer(entry)
      }
      if ('only-if-cached' in asked) return refuse(ctx, 504, 'Not in the cache')
      const flight = alone || renewed || 'no-cache' in asked ? undefined : flights.get(found.at)
      if (!flight) {
        if (ctx.method === 'GET') fill(ctx, key, { ...found, entry }, alone)
        return next()
      }
      const shared = await flight
      if (shared && !shared.vary.length && entries.suits(shared, header)) return answer(shared)
      // Nothing to share, or it was for others: make an answer without anybody. Another variant: look once more
      alone = !shared || round > 1
    }
  }
  return Object.assign(middleware, {
    async purge(tag: string): Promise<void> {
      purges++
      await store.purge(tag)
    },
  })
}

/** A store that fails must not fail an answer. */
const attemptTo = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    report(error)
  }
}

const check = (options: CacheOptions): void => {
  checkNames(
    'cache',
    options,
    'store:object maxAge staleWhileRevalidate staleIfError key:function tags limit waitMs requestDirectives:boolean now:function',
  )
  const { maxAge = 0, staleWhileRevalidate = 0, staleIfError = 0, limit = 0, waitMs = 1, tags = [], store } = options
  for (const [name, value] of Object.entries({ maxAge, staleWhileRevalidate, staleIfError }))
    checkWhole(value, `cache: ${name}`, 'seconds')
  checkWhole(limit, 'cache: limit', 'bytes')
  checkWhole(waitMs, 'cache: waitMs', 'milliseconds', 1)
  checkOption(typeof tags === 'function' || Array.isArray(tags), 'cache: tags', 'a list or a function', tags)
  checkOption(!store || typeof store.get === 'function', 'cache: store', 'a store of sluice/stores', store)
}
