import { checkOption } from '../internal/options/check.ts'

/** A clock that a test controls. */
export interface Clock {
  /** The time, in milliseconds since 1970. Bound: pass it as `now` to stores and middleware. */
  readonly now: () => number
  /** Advance the time by this many milliseconds, from 0. */
  tick(ms: number): void
  /** Set the time. It may go back, like a real clock. */
  set(time: number | Date): void
}

/**
 * A clock for tests with expiry: pass `clock.now` as `now`, and advance it with `tick`.
 *
 * @param start initial time @default 2020-01-01T00:00:00Z
 * @throws {TypeError} for a time that is not a number.
 * @example
 * const clock = createClock()
 * const store = memoryRateLimit({ now: clock.now })
 * clock.tick(60_000)
 */
export const createClock = (start: number | Date = Date.UTC(2020, 0)): Clock => {
  let time = timeOf(start)
  return {
    now: () => time,
    tick(ms) {
      checkOption(ms >= 0, 'clock.tick: ms', 'a number of milliseconds from 0', ms)
      time = timeOf(time + ms)
    },
    set(to) {
      time = timeOf(to)
    },
  }
}

const timeOf = (time: number | Date): number => {
  const ms = Number(time)
  checkOption(Number.isFinite(ms), 'createClock: time', 'milliseconds since 1970, or a date', time)
  return ms
}
