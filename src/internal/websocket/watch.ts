import type { Connection } from './server-socket.ts'

/** The sockets of a handler: one timer pings them, and cuts those that stay silent. */
export interface Watch {
  add(connection: Connection): void
  delete(connection: Connection): void
}

export const createWatch = (idleTimeoutMs: number): Watch => {
  const open = new Set<Connection>()
  let timer: ReturnType<typeof setInterval> | undefined
  const look = (): void => {
    const now = performance.now()
    for (const connection of open) {
      // 0 until it stands: the handshake has limits of its own
      const silent = connection.seen && now - connection.seen
      if (silent > idleTimeoutMs) connection.terminate()
      else if (silent >= idleTimeoutMs / 4) connection.ping()
    }
  }
  return {
    add(connection) {
      open.add(connection)
      timer ??= setInterval(look, idleTimeoutMs / 2)
    },
    delete(connection) {
      open.delete(connection)
      if (open.size) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
