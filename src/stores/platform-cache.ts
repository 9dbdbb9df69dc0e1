import { MAX_FILL_SECONDS, NEVER, taggedStore } from '../internal/cache/tagged-store.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { CacheStore } from '../internal/store/cache-store.ts'

/** The part of the Cache API that is used: `caches.default` of Workers, or the result of `caches.open(name)`. */
export interface PlatformCache {
  match(key: string): Promise<Response | undefined>
  put(key: string, response: Response): Promise<void>
  delete(key: string): Promise<boolean>
}

/** Options of {@link platformCache}. */
export interface PlatformCacheOptions {
  /** The cache, or a function that returns it: `() => caches.default`. */
  readonly cache: PlatformCache | (() => PlatformCache | Promise<PlatformCache>)
}

/** Keys of the Cache API are URLs. No client can request this one (RFC 2606). */
const BASE = 'https://cache.invalid/'

/**
 * Store responses in the platform's Cache API. On Workers each data centre has its own cache, so a purge affects only
 * the one where it runs.
 *
 * @throws {TypeError} when created, if `cache` is not one.
 * @example
 * cache({ store: platformCache({ cache: () => caches.default }) })
 */
export const platformCache = (options: PlatformCacheOptions): CacheStore => {
  checkNames('platformCache', options, 'cache')
  const { cache } = options
  checkOption(typeof cache === 'function' || Object(cache) === cache, 'platformCache: cache', 'a Cache', cache)
  const open = async (): Promise<PlatformCache> => (typeof cache === 'function' ? cache() : cache)
  const address = (key: string): string => BASE + encodeURIComponent(key)
  const get = async (key: string): Promise<string | undefined> => (await (await open()).match(address(key)))?.text()
  const set = async (key: string, text: string, ttlSeconds: number): Promise<void> =>
    (await open()).put(address(key), new Response(text, { headers: { 'cache-control': `max-age=${ttlSeconds}` } }))
  let last = 0
  const time = async (): Promise<string> => {
    last = Math.max(last + 1, Date.now() * 1000)
    return `${last}`
  }
  return taggedStore({
    get,
    time,
    // The Cache API cannot compare and write in one step: a deletion between the two is lost
    async recordDeletion(key, moment, ttlSeconds) {
      const deletedAt = (await get(key))?.slice(0, NEVER.length) ?? NEVER
      await set(key, `${Math.max(Number(deletedAt), Number(moment))}`, ttlSeconds)
    },
    async replace(key, generation, json, ttlSeconds) {
      const there = (await get(key))?.slice(0, NEVER.length)
      if (there! >= generation || Number(await time()) - Number(generation) > MAX_FILL_SECONDS * 1e6) return false
      await set(key, (there ?? NEVER) + generation + json, there ? Math.max(ttlSeconds, MAX_FILL_SECONDS) : ttlSeconds)
      return true
    },
  })
}
