import type { Awaitable } from '../promise/awaitable.ts'

/** A stored response. */
export interface CacheEntry {
  readonly status: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** Time at which it was stored, in milliseconds since 1970. */
  readonly time: number
  /**
   * In seconds: how long it is fresh, how long after that it may be sent while it is made again, or instead of an
   * error, and its age when it was stored.
   */
  readonly life: Readonly<Record<'fresh' | 'whileRevalidate' | 'ifError' | 'age', number>>
  /** Request headers that the response depends on. An entry with names and no values points to the variants. */
  readonly vary: readonly string[]
  /** Names for purging entries together. */
  readonly tags: readonly string[]
}

/** Where responses are stored. An entry belongs to the store: callers must not change it. */
export interface CacheStore {
  /** The entry of a key, unless it has expired or one of its tags was purged. */
  get(key: string): Awaitable<CacheEntry | undefined>
  /**
   * The present moment, taken before a response is produced and given to `set`. Without it, a store keeps responses
   * that were produced from old data while their key was deleted or their tag purged.
   */
  begin?(): Awaitable<unknown>
  /**
   * Store an entry for this many seconds, unless its key was deleted or one of its tags purged since `begun`, the
   * result of `begin`: then the result is `false`.
   */
  set(key: string, entry: CacheEntry, ttlSeconds: number, begun?: unknown): Awaitable<unknown>
  delete(key: string): Awaitable<unknown>
  /** Remove every entry with the tag. */
  purge(tag: string): Awaitable<unknown>
}
