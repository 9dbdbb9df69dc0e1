/** A socket that may fall silent. */
export interface WatchedSocket {
  /** Time of the last message of the client, by {@link clock}; 0 until the connection is open. */
  readonly seen: number
  /** The client may be alive: its messages are not read now, or the runtime does not report its pongs. */
  readonly skipsIdleCheck: boolean
  ping(): void
  terminate(): void
}

/**
 * Milliseconds as an integer of 32 bits, which an object holds without a separate number in memory. It wraps after
 * 49 days: subtract with `| 0`.
 */
export const clock = (): number => performance.now() | 0

/** The sockets of a handler, or one of them: one timer pings them, and cuts those that stay silent. */
export interface Watch {
  add(connection: WatchedSocket): void
  delete(connection: WatchedSocket): void
}

export const createWatch = (idleTimeoutMs: number): Watch => {
  const open = new Set<WatchedSocket>()
  let timer: ReturnType<typeof setInterval> | undefined
  const checkSockets = (): void => {
    const now = clock()
    for (const connection of open) {
      // 0 until it is open: the handshake has limits of its own
      const silent = connection.seen && (now - connection.seen) | 0
      if (silent > idleTimeoutMs && !connection.skipsIdleCheck) connection.terminate()
      else if (silent >= idleTimeoutMs / 4) connection.ping()
    }
  }
  return {
    add(connection) {
      open.add(connection)
      timer ??= setInterval(checkSockets, idleTimeoutMs / 2)
    },
    delete(connection) {
      open.delete(connection)
      if (open.size) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
