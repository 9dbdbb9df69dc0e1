import type { ServerSocket, SocketHandlers } from '../websocket/socket-handlers.ts'
import type { TargetSocket } from '../websocket/target-socket.ts'

/** A connection to a target, and what a client that is put through to it does. */
export interface Line {
  /** True when the target has taken the connection, false if it was too slow. Rejects if it refuses. */
  readonly opened: Promise<boolean>
  readonly handlers: SocketHandlers<string | Uint8Array>
}

/** Bytes that may wait for the target before messages of the client do. */
const HIGH_WATER = 65_536

/** Messages of the target that may wait for the handshake with the client. */
const MOST_EARLY = 1024

/** How often a slow target is looked at, in milliseconds: no event tells. */
const WATCH_MS = 10

/** Connect both sides: what one sends goes to the other, and so does its end. */
export const createLine = (target: TargetSocket, timeoutMs: number): Line => {
  let client: ServerSocket | undefined
  let ended: { code: number; reason: string } | undefined
  const early: (string | Uint8Array)[] = []
  target.binaryType = 'arraybuffer'
  target.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) => {
    const message = typeof data === 'string' ? data : new Uint8Array(data)
    if (client) client.send(message)
    else if (early.push(message) > MOST_EARLY) target.close()
  })
  const opened = new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve(false)
      target.close()
    }, timeoutMs)
    const begun = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    target.addEventListener('open', begun)
    target.addEventListener('error', ({ error, message }) => reject(error ?? new Error(message || 'Broken')))
    target.addEventListener('close', ({ code, reason }) => {
      clearTimeout(timer)
      reject(new Error(`Closed with ${code}`))
      ended = { code: toClient(code), reason }
      client?.close(ended.code, reason)
    })
    if (target.readyState === 1) begun()
  })
  // A handshake with the client that comes to nothing tells nobody
  const unused = opened.then((fine) => fine && setTimeout(() => target.close(), timeoutMs))
  unused.catch(() => {})
  return {
    opened,
    handlers: {
      async open(socket) {
        clearTimeout((await unused) || undefined)
        client = socket
        for (const message of early.splice(0)) client.send(message)
        if (ended) client.close(ended.code, ended.reason)
      },
      message(_, message) {
        if (target.readyState !== 1) return
        target.send(message)
        return (target.bufferedAmount ?? 0) > HIGH_WATER ? taken(target) : undefined
      },
      close: (_, code, reason) => (isOwn(code) ? target.close(code, reason) : target.close()),
      // The end of the connection, which follows, says enough
      error: () => {},
    },
  }
}

/** Codes that a program may say to a peer (WHATWG WebSockets §3). */
const isOwn = (code: number): boolean => code === 1000 || (code >= 3000 && code <= 4999)

/** What the client is told: 1005 and its kin stand for what no frame can say (RFC 6455 §7.4.1). */
const toClient = (code: number): number => (code === 1005 ? 1000 : code === 1006 || code === 1015 ? 1014 : code)

/** Until the target has taken most of what was sent. */
const taken = async (target: TargetSocket): Promise<void> => {
  while (target.readyState === 1 && (target.bufferedAmount ?? 0) > HIGH_WATER)
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
}
