import { checkOption } from '../internal/options.ts'

/** A clock that a test moves. */
export interface Clock {
  /** The time, in milliseconds since 1970. Bound: hand it to `now` of stores and middleware. */
  readonly now: () => number
  /** Move on by so many milliseconds, and wake who sleeps until then, in the order of their times. */
  tick(ms: number): Promise<void>
  /** Set the time. It may go back, as a real clock does; nobody is woken by that. */
  set(time: number | Date): Promise<void>
  /** Wait until the clock has moved by so many milliseconds; at once if the signal aborts. Bound. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

interface Sleeper {
  readonly until: number
  wake(): void
}

/**
 * A clock for tests of what expires: pass `clock.now` where `now` is taken, and move it with `tick`.
 *
 * @param start time at which it begins @default 2020-01-01T00:00:00Z
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
      sleepers = sleepers.filter((one) => one !== next)
      next.wake()
      // Who was woken may sleep again, for a time that is still to come
      await new Promise((resolve) => setTimeout(resolve))
    }
    time = end
  }
  return {
    now: () => time,
    tick: (ms) => set(time + ms),
    set,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers = sleepers.filter((one) => one !== sleeper)
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
