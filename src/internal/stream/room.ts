/** Bytes that may wait for a client before `send` of a WebSocket returns a promise. */
export const HIGH_WATER = 65_536

/** A sender to one client, as far as it waits until a slow client has taken what was sent. */
export interface WaitingSenders {
  /** The promise for which all senders to the client wait. */
  room: Promise<boolean> | undefined
  /** Let them continue; `open` is false if the client has gone. */
  wake: ((open: boolean) => void) | undefined
}

/** The error with which a client ends that takes less than it is sent. */
export const tooSlow = (waiting: number): Error => new Error(`The client is too slow: ${waiting} bytes wait for it`)

/** @returns a promise that resolves when `wake` is called next: true if the client is ready for more */
export const waitForRoom = (line: WaitingSenders): Promise<boolean> => {
  line.room ??= new Promise((resolve) => {
    line.wake = (open) => {
      line.room = undefined
      resolve(open)
    }
  })
  return line.room
}
