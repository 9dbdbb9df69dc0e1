export interface WatchedSocket {
  /** Time of the client's last message, by {@link clock}; 0 until the connection is open. */
  readonly seen: number
  /** Silence means nothing: messages are not read now, or the runtime does not report pongs. */
  readonly skipsIdleCheck: boolean
  ping(): void
  terminate(): void
}

/** Milliseconds as a 32-bit integer, which needs no object in memory. It wraps after 49 days: subtract with `| 0`. */
export const clock = (): number => performance.now() | 0

/** One timer that pings the sockets of a handler, and cuts those that stay silent. */
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
