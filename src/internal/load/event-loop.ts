/** Measures the delay of timers, as long as it is used. */
export interface EventLoopDelay {
  /** Delay of the event loop, in milliseconds: from the last measurement, or the one that is due now. */
  read(): number
}

/** Interval of measurements, in milliseconds. */
const EVERY = 100

/** After this many unused measurements, it stops until it is used again. */
const IDLE = 50

/**
 * Create a meter. It starts at first use, does not keep the process alive, and stops when it is not used.
 *
 * @param now clock, in milliseconds
 */
export const eventLoopDelay = (now: () => number): EventLoopDelay => {
  let due: number | undefined
  let delayMs = 0
  let idle = 0
  const scheduleProbe = (): void => {
    due = now() + EVERY
    const timer: unknown = setTimeout(() => {
      delayMs = Math.max(0, now() - due!)
      if (++idle < IDLE) scheduleProbe()
      else due = undefined
    }, EVERY)
    ;(timer as { unref?(): void }).unref?.()
  }
  return {
    read() {
      idle = 0
      if (due === undefined) {
        delayMs = 0
        scheduleProbe()
      }
      return Math.max(delayMs, now() - due!)
    },
  }
}
