import { isSendable, MessageQueue } from './frames.ts'
import type { ServerSocket, SocketHandlers } from './socket-handlers.ts'
import type { TargetSocket } from './target-socket.ts'

export interface Link {
  /** Whether the target has accepted the connection in time. Rejects if the target refuses it. */
  readonly opened: Promise<boolean>
  readonly handlers: LinkedHandlers
}

/** Handlers of a socket whose subprotocol the target has chosen; `''` for none. */
export interface LinkedHandlers extends SocketHandlers<string | Uint8Array> {
  readonly '~protocol'?: string | undefined
}

/** Bytes that may be buffered for the target before messages of the client have to wait. */
const HIGH_WATER = 65_536

/** Bytes and characters of the target that may wait for the client's handshake. */
const MAX_EARLY = 16_777_216

/** How often a slow target is checked, in milliseconds, because no event reports its progress. */
const WATCH_MS = 10

/** Connect both sides: each gets the messages and the end of the other. */
export const createLink = (target: TargetSocket, timeoutMs: number): Link => {
  let client: ServerSocket | undefined
  let ended: { code: number; reason: string } | undefined
  const early = new MessageQueue()
  target.binaryType = 'arraybuffer'
  target.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) => {
    const message = typeof data === 'string' ? data : new Uint8Array(data)
    if (client) client.send(message)
    else if (!early.put(message, MAX_EARLY)) target.close()
  })
  const opened = new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve(false)
      target.close()
    }, timeoutMs)
    const onStart = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    target.addEventListener('open', onStart)
    target.addEventListener('error', ({ error, message }) =>
      reject(error ?? new Error(message || 'The connection to the target failed')),
    )
    target.addEventListener('close', ({ code, reason }) => {
      clearTimeout(timer)
      reject(new Error(`Closed with ${code}`))
      ended = { code: toClient(code), reason }
      client?.close(ended.code, reason)
    })
    if (target.readyState === 1) onStart()
  })
  // The client's handshake may fail, which no event reports
  const unused = opened.then((accepted) => accepted && setTimeout(() => target.close(), timeoutMs))
  unused.catch(() => {})
  return {
    opened,
    handlers: {
      get '~protocol'() {
        return target.protocol
      },
      async open(socket) {
        clearTimeout((await unused) || undefined)
        // Messages that arrive in the meantime join the end of the queue
        for (let message = early.take(); message !== undefined; message = early.take())
          if (!(await socket.send(message))) break
        client = socket
        if (ended) client.close(ended.code, ended.reason)
      },
      message(_, message) {
        if (target.readyState !== 1) return
        target.send(message)
        return (target.bufferedAmount ?? 0) > HIGH_WATER ? whenDrained(target) : undefined
      },
      close: (_, code, reason) => (isAllowed(code) ? target.close(code, reason) : target.close()),
      // The close event, which follows, is enough
      error: () => {},
    },
  }
}

/** Codes that a program may send to a peer (WHATWG WebSockets §3). */
const isAllowed = (code: number): boolean => code === 1000 || (code >= 3000 && code <= 4999)

/** Codes such as 1005 must not be sent in a frame (RFC 6455 §7.4.1). */
const toClient = (code: number): number => (code === 1005 ? 1000 : isSendable(code) ? code : 1014)

/** Wait until the target has read most of the sent data. */
const whenDrained = async (target: TargetSocket): Promise<void> => {
  while (target.readyState === 1 && (target.bufferedAmount ?? 0) > HIGH_WATER)
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
}
