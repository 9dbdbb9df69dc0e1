import { need } from '../internal/need.ts'
import type { SessionStore } from './session-store.ts'

/** Options of {@link memorySession}. */
export interface MemorySessionOptions {
  /** Most sessions that are kept; beyond it the one that was not used for longest goes. @default 100000 */
  readonly maxSessions?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** A session as text, so that no two requests share an object. */
interface Entry {
  readonly json: string
  readonly expires: number
}

/**
 * Keep sessions in this process: for development, tests and single processes. Bounded and without timers.
 *
 * @throws {TypeError} when `maxSessions` is not a positive integer.
 * @example
 * session({ secret, store: memorySession({ maxSessions: 1000 }) })
 */
export const memorySession = (options: MemorySessionOptions = {}): Required<SessionStore> => {
  const { maxSessions = 100_000, now = Date.now } = options
  need(Number.isInteger(maxSessions) && maxSessions > 0, 'maxSessions', maxSessions, 'a positive integer')
  const entries = new Map<string, Entry>()

  const find = (id: string): Entry | undefined => {
    const entry = entries.get(id)
    return entry && entry.expires > now() ? entry : undefined
  }
  /** A map keeps insertion order: what was used last goes to the end. */
  const put = (id: string, json: string, ttlSeconds: number): void => {
    entries.delete(id)
    for (const [oldest, { expires }] of entries) {
      if (expires > now() && entries.size < maxSessions) break
      entries.delete(oldest)
    }
    entries.set(id, { json, expires: now() + ttlSeconds * 1000 })
  }

  return {
    get(id) {
      const entry = find(id)
      if (!entry) return undefined
      entries.delete(id)
      entries.set(id, entry)
      return JSON.parse(entry.json)
    },
    set(id, data, ttlSeconds = 86_400) {
      put(id, JSON.stringify(data), ttlSeconds)
    },
    destroy(id) {
      return !!find(id) && entries.delete(id)
    },
    replace(id, data, ttlSeconds, expected) {
      const entry = find(id)
      const fits = !!entry && (expected === undefined || entry.json === expected)
      if (fits) put(id, JSON.stringify(data), ttlSeconds)
      return fits
    },
    touch(id, ttlSeconds) {
      const entry = find(id)
      if (entry) put(id, entry.json, ttlSeconds)
    },
  }
}
