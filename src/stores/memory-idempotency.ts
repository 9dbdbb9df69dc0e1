import { checkNames, checkWhole } from '../internal/options/check.ts'
import type { IdempotencyStore } from '../internal/store/idempotency-store.ts'
import { createRecent } from '../internal/store/recent.ts'

export type { IdempotencyStore } from '../internal/store/idempotency-store.ts'

/** Options of {@link memoryIdempotency}. */
export interface MemoryIdempotencyOptions {
  /** Maximum number of keys; the more recently used half is always kept. @default 1000 */
  readonly maxKeys?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Store responses in this process: for development, tests and single processes. Bounded and without timers.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * idempotency({ store: memoryIdempotency({ maxKeys: 10_000 }), scope })
 */
export const memoryIdempotency = (options: MemoryIdempotencyOptions = {}): IdempotencyStore => {
  checkNames('memoryIdempotency', options, 'maxKeys now:function')
  const { maxKeys = 1000, now = Date.now } = options
  checkWhole(maxKeys, 'memoryIdempotency: maxKeys', 'keys', 2)
  const entries = createRecent<{ readonly value: string; readonly expires: number }>(maxKeys, now)
  const find = (key: string): string | undefined => entries.get(key)?.value
  const storeValue = (key: string, value: string, seconds: number): void =>
    entries.set(key, { value, expires: now() + seconds * 1000 })
  return {
    take(key, claim, seconds) {
      const value = find(key)
      if (value === undefined) storeValue(key, claim, seconds)
      return value
    },
    replace(key, claim, value, seconds) {
      if (find(key) === claim) storeValue(key, value, seconds)
    },
    release(key, claim) {
      if (find(key) === claim) entries.delete(key)
    },
  }
}
