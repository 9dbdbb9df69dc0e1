/** Bytes that may wait for a client before `send` of a WebSocket returns a promise. */
export const HIGH_WATER = 65_536

/** Senders to one client that wait until it has read what was sent. */
export interface Backpressure {
  drained: Promise<boolean> | undefined
  /** Let them continue; `open` is false if the client disconnected. */
  wake: ((open: boolean) => void) | undefined
}

export const tooSlow = (waiting: number): Error => new Error(`The client is too slow: ${waiting} bytes wait for it`)

/** @returns a promise that resolves when `wake` is called next: true if the client is ready for more */
export const waitForDrain = (sender: Backpressure): Promise<boolean> => {
  sender.drained ??= new Promise((resolve) => {
    sender.wake = (open) => {
      sender.drained = undefined
      resolve(open)
    }
  })
  return sender.drained
}
