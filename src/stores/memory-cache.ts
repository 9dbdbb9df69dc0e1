import { checkNames, checkWhole } from '../internal/options/check.ts'
import type { CacheEntry, CacheStore } from '../internal/store/cache-store.ts'
import { createRecent } from '../internal/store/recent.ts'

/** Options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /** Maximum size of all entries together, in bytes; the more recently used half is always kept. @default 67108864 */
  readonly maxBytes?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

interface SizedEntry {
  readonly entry: CacheEntry
  readonly expires: number
  readonly size: number
}

/** Approximate overhead of an entry, in addition to its strings and bytes. */
const OVERHEAD = 500

/** How many keys and tags are remembered as deleted. If there are more, no response in production is stored. */
const MAX_DELETED = 100

/**
 * Store responses in this process, limited in bytes and without timers. An entry that is larger than half of the limit
 * is not stored.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * cache({ store: memoryCache({ maxBytes: 256 * 1024 * 1024 }) })
 */
export const memoryCache = (options: MemoryCacheOptions = {}): CacheStore => {
  checkNames('memoryCache', options, 'maxBytes now:function')
  const { maxBytes = 67_108_864, now = Date.now } = options
  checkWhole(maxBytes, 'memoryCache: maxBytes', 'bytes', 1)
  const recent = createRecent<SizedEntry>(maxBytes, now)
  /** When keys and tags were deleted. If a key and a tag have one name, a response may not be stored. */
  const deletedAt = new Map<string, number>()
  let moment = 0
  let earliest = 0

  const noteDeletion = (name: string): void => {
    moment++
    deletedAt.set(name, moment)
    if (deletedAt.size <= MAX_DELETED) return
    deletedAt.clear()
    earliest = moment
  }

  return {
    get: (key) => recent.get(key)?.entry,
    begin: () => moment,
    set(key, entry, ttlSeconds, generation = moment) {
      const begin = generation as number
      if (begin < earliest || [key, ...entry.tags].some((name) => deletedAt.get(name)! > begin)) return false
      recent.set(key, { entry, expires: now() + ttlSeconds * 1000, size: sizeOf(key, entry) })
      return true
    },
    delete(key) {
      noteDeletion(key)
      recent.delete(key)
    },
    purge(tag) {
      noteDeletion(tag)
      for (const [key, { entry }] of recent.entries()) if (entry.tags.includes(tag)) recent.delete(key)
    },
  }
}

/** Approximate size of an entry: bytes of its body, and two for each character. */
const sizeOf = (key: string, { body, fields, tags, vary }: CacheEntry): number =>
  body.byteLength + 2 * [key, ...fields.flat(), ...tags, ...vary].join('').length + OVERHEAD
