import { boundedKey } from '../crypto/bounded-key.ts'
import { toBase64 } from '../crypto/encoding.ts'
import type { CacheStore } from '../store/cache-store.ts'

/** Strings by key, each with a lifetime in seconds, and a clock for all who use them. */
export interface StringStore {
  get(key: string): Promise<string | undefined>
  /** Delete an entry, and set the moment of its deletion, unless a later one is stored: clocks may be set back. */
  recordDeletion(key: string, moment: string, ttlSeconds: number): Promise<unknown>
  /**
   * Replace the string by `deletedAt + begun + json`. This keeps `deletedAt`, its first 16 digits, for at least
   * {@link MAX_FILL_SECONDS} after that moment. Does nothing unless `deletedAt` < `begun`, and `begun` is less than
   * {@link MAX_FILL_SECONDS} ago.
   *
   * @returns `false`, 0 or '0' if it was not set
   */
  replace(key: string, begun: string, json: string, ttlSeconds: number): Promise<unknown>
  /** Microseconds since 1970, in 16 digits. */
  time(): Promise<string>
}

/** The moment for a key that was never deleted, with as many digits as every moment. */
export const NEVER = '0000000000000000'

const DIGITS = 16

/** How long a response may take to be stored, in seconds: a deleted key is remembered for this long. */
export const MAX_FILL_SECONDS = 60

/** Maximum lifetime of an entry, in seconds. */
const MAX_TTL_SECONDS = 30 * 86_400

/**
 * Store an entry as a string: the moment at which its key was last deleted, the moment at which its response was begun,
 * and the entry. The first is kept for as long as a response may take. Each tag has the moment of its last purge, so a
 * purge takes one write.
 */
export const taggedStore = (strings: StringStore): CacheStore => {
  const arePurged = async (tags: readonly string[], begun: string): Promise<boolean> =>
    (await Promise.all(tags.map((tag) => strings.get(`purged:${tag}`)))).some((purged = '') => purged >= begun)
  // Clients choose queries, and the fields that `Vary` names: those may be long, and secrets
  const primaryKeyOf = async (key: string): Promise<string> => `response:${await boundedKey(key)}`
  return {
    async get(key) {
      const text = await strings.get(await primaryKeyOf(key))
      if (text === undefined || text.length <= DIGITS) return undefined
      const { body, ...entry } = JSON.parse(text.slice(2 * DIGITS))
      const generation = text.slice(DIGITS, 2 * DIGITS)
      return (await arePurged(entry.tags, generation)) ? undefined : { ...entry, body: bytesOf(body) }
    },
    begin: () => strings.time(),
    async set(key, entry, ttlSeconds, begunAt) {
      const moment = String(begunAt ?? (await strings.time()))
      if (await arePurged(entry.tags, moment)) return false
      const json = JSON.stringify({ ...entry, body: toBase64(entry.body) })
      const ttl = Math.min(Math.ceil(ttlSeconds), MAX_TTL_SECONDS)
      return !!Number(await strings.replace(await primaryKeyOf(key), moment, json, ttl))
    },
    delete: async (key) => strings.recordDeletion(await primaryKeyOf(key), await strings.time(), MAX_FILL_SECONDS),
    // The moment is kept longer than every older entry
    purge: async (tag) => strings.recordDeletion(`purged:${tag}`, await strings.time(), MAX_TTL_SECONDS + 86_400),
  }
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
