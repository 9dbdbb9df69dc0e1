import { checkNames, checkWhole } from '../internal/options/check.ts'
import type { SessionStore } from '../internal/session/session-store.ts'
import { createRecent } from '../internal/store/recent.ts'

/** Options of {@link memorySession}. */
export interface MemorySessionOptions {
  /** Maximum number of sessions; the more recently used half is always kept. @default 100000 */
  readonly maxSessions?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/**
 * Keep sessions in this process: for development, tests and single processes. Bounded and without timers.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * session({ secret, store: memorySession({ maxSessions: 1000 }) })
 */
export const memorySession = (options: MemorySessionOptions = {}): Required<SessionStore> => {
  checkNames('memorySession', options, 'maxSessions now:function')
  const { maxSessions = 100_000, now = Date.now } = options
  checkWhole(maxSessions, 'memorySession: maxSessions', 'sessions', 2)
  // JSON, so that no two requests share an object
  const entries = createRecent<{ readonly json: string; readonly expires: number }>(maxSessions, now)
  const storeSession = (id: string, json: string, ttlSeconds: number): void =>
    entries.set(id, { json, expires: now() + ttlSeconds * 1000 })

  return {
    get(id) {
      const entry = entries.get(id)
      return entry && JSON.parse(entry.json)
    },
    set(id, data, ttlSeconds = 86_400) {
      storeSession(id, JSON.stringify(data), ttlSeconds)
    },
    destroy(id) {
      const existed = !!entries.get(id)
      entries.delete(id)
      return existed
    },
    replace(id, data, ttlSeconds, expected) {
      const entry = entries.get(id)
      const fits = !!entry && (expected === undefined || entry.json === expected)
      if (fits) storeSession(id, JSON.stringify(data), ttlSeconds)
      return fits
    },
    touch(id, ttlSeconds) {
      const entry = entries.get(id)
      if (entry) storeSession(id, entry.json, ttlSeconds)
    },
  }
}
