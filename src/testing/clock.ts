import { checkOption } from '../internal/options/check.ts'

/** A clock that a test controls. */
export interface Clock {
  /** The time, in milliseconds since 1970. Bound: pass it as `now` to stores and middleware. */
  readonly now: () => number
  /**
   * Advance the time by this many milliseconds, from 0, and wake all sleepers that are due, in the order of their
   * times.
   */
  tick(ms: number): Promise<void>
  /** Set the time, and wake all sleepers that are due. It may go back, like a real clock, which wakes none. */
  set(time: number | Date): Promise<void>
  /** Wait until the clock has advanced by this many milliseconds, or until the signal aborts. Bound. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

interface Sleeper {
  readonly until: number
  wake(): void
}

/**
 * A clock for tests with expiry: pass `clock.now` as `now`, and advance it with `tick`.
 *
 * @param start initial time @default 2020-01-01T00:00:00Z
 * @throws {TypeError} for a time that is not a number.
 * @example
 * const clock = createClock()
 * const store = memoryRateLimit({ now: clock.now })
 * await clock.tick(60_000)
 */
export const createClock = (start: number | Date = Date.UTC(2020, 0)): Clock => {
  let time = timeOf(start)
  let sleepers: Sleeper[] = []

  const set = async (to: number | Date): Promise<void> => {
    const end = timeOf(to)
    for (;;) {
      const next = sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0]
      if (!next) break
      time = Math.max(time, next.until)
      next.wake()
      // A woken sleeper may sleep again, until a time that is still due
      await new Promise((resolve) => setTimeout(resolve))
    }
    time = end
  }
  return {
    now: () => time,
    tick: async (ms) => {
      checkOption(ms >= 0, 'clock.tick: ms', 'a number of milliseconds from 0', ms)
      return set(time + ms)
    },
    set,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: time + ms, wake }
        if (signal?.aborted) return resolve()
        signal?.addEventListener('abort', wake)
        sleepers.push(sleeper)
      }),
  }
}

const timeOf = (time: number | Date): number => {
  const ms = Number(time)
  checkOption(Number.isFinite(ms), 'createClock: time', 'milliseconds since 1970, or a date', time)
  return ms
}
