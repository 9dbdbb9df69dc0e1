import { report } from '#runtime/core'
import type { CacheEntry } from '../store/cache-store.ts'
import { ageOf, answerWith, matchesVary } from './entries.ts'
import { useOf } from './policy.ts'

/** A stored response that may be used: now, as `response`, or only instead of an error. */
interface UsableEntry {
  readonly entry?: CacheEntry
  readonly response?: Response | false
  /** Whether it is to be refreshed. */
  readonly stale?: boolean
}

/**
 * How an entry may be used for a request. One that is not a response, because something else wrote to the store,
 * is reported and not used.
 */
export const useEntry = (
  entry: CacheEntry | undefined,
  header: (name: string) => string | null,
  now: number,
): UsableEntry => {
  try {
    if (!entry || !matchesVary(entry, header)) return {}
    const use = useOf(entry.life, ageOf(entry, now))
    const stale = use === 'revalidate'
    return { entry, response: (stale || use === 'fresh') && answerWith(entry, header, now), stale }
  } catch (error) {
    report(error)
    return {}
  }
}
