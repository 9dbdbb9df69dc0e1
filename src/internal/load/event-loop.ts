/** Looks how late timers are, as long as somebody asks. */
export interface EventLoopDelay {
  /** How late the event loop is, in milliseconds: the last look, or the one that is due now. */
  read(): number
}

/** How often it is looked, in milliseconds. */
const EVERY = 100

/** After so many looks that nobody asked for, it stops until somebody asks again. */
const IDLE = 50

/**
 * Make a meter. It starts with the first question, keeps no process open, and stops when nobody asks.
 *
 * @param now clock, in milliseconds
 */
export const eventLoopDelay = (now: () => number): EventLoopDelay => {
  let due: number | undefined
  let late = 0
  let idle = 0
  const look = (): void => {
    due = now() + EVERY
    const timer: unknown = setTimeout(() => {
      late = Math.max(0, now() - due!)
      if (++idle < IDLE) look()
      else due = undefined
    }, EVERY)
    ;(timer as { unref?(): void }).unref?.()
  }
  return {
    read() {
      idle = 0
      if (due === undefined) {
        late = 0
        look()
      }
      return Math.max(late, now() - due!)
    },
  }
}
