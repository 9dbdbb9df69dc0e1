/** Interval of measurements, in milliseconds. */
const EVERY = 100

/** After this many unused measurements, they stop until the delay is read again. */
const IDLE = 50

/**
 * A function that returns the delay of the event loop, in milliseconds, by a clock. Measurements start at its first
 * call, stop when it is not called, and do not keep the process alive.
 */
export const eventLoopDelay = (now: () => number): (() => number) => {
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
  return () => {
    idle = 0
    if (due === undefined) {
      delayMs = 0
      scheduleProbe()
    }
    return Math.max(delayMs, now() - due!)
  }
}
