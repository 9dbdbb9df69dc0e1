import type { Awaitable } from '../internal/awaitable.ts'

/** An answer as it is kept. */
export interface CacheEntry {
  readonly status: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** When it came, in milliseconds since 1970. */
  readonly time: number
  /** Seconds that it is fresh, that it may be sent stale while it is made again, or instead of an error, and its age then. */
  readonly life: {
    readonly fresh: number
    readonly whileRevalidate: number
    readonly ifError: number
    readonly age: number
  }
  /** Request fields that the answer depends on. An entry with names and no fields leads to the variants. */
  readonly vary: readonly string[]
  /** Names by which entries are purged together. */
  readonly tags: readonly string[]
}

/** Where answers are kept. An entry belongs to the store: whoever gets it must not change it. */
export interface CacheStore {
  /** The entry of a key, unless its time is over or one of its tags was purged since. */
  get(key: string): Awaitable<CacheEntry | undefined>
  /** Keep an entry for so many seconds at most. */
  set(key: string, entry: CacheEntry, ttlSeconds: number): Awaitable<unknown>
  delete(key: string): Awaitable<unknown>
  /** Forget every entry with the tag. */
  purge(tag: string): Awaitable<unknown>
}
