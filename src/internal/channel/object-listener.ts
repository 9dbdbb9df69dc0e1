import { inTime, timedOut } from '../time/in-time.ts'
import { type ChannelListener, NOTHING, type Page, type TopicListener } from './backend.ts'
import { LAST, PING } from './channel-object.ts'
import { checkInterval, Follower, retry } from './follower.ts'

/** The part of the platform's WebSocket that is used. */
interface ObjectSocket {
  accept(): void
  send(message: string): void
  close(code?: number): void
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
}

/** How often the connection is checked, in milliseconds. */
const PING_MS = 30_000

/** Listen to one object. After a lost connection, the missed messages are read from its log. */
export const followObject = async (
  listener: ChannelListener,
  open: () => Promise<Response>,
  read: (after: string, limit: number) => Promise<Page>,
  giveUpMs: number,
): Promise<TopicListener> => {
  let follower: Follower | undefined
  /** Close the current connection, or once it is open, the one that is being opened. */
  let closeCurrent = (): void => {}
  let stopped = false
  const timeoutMs = checkInterval(giveUpMs)
  const withTimeout = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(timeoutMs, () => timedOut(`The object did not answer within ${timeoutMs} ms`), work)

  const connect = async (): Promise<string> => {
    let socket: ObjectSocket | null | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let isAlive = true
    let isClosed = false
    const close = (): void => {
      isClosed = true
      clearInterval(timer)
      try {
        socket?.close(1000)
      } catch {} // Already closed
    }
    closeCurrent = close
    // The response of Workers
    const response = (await open()) as Response & { readonly webSocket?: ObjectSocket | null }
    socket = response.webSocket
    if (!socket) {
      void response.body?.cancel().catch(() => {})
      throw new Error(`The object responded to a listener with ${response.status}`)
    }
    socket.accept()
    if (isClosed) {
      close()
      return NOTHING
    }
    const last = response.headers.get(LAST) ?? NOTHING
    const thisFollower = follower ?? new Follower(listener, (...page) => withTimeout(() => read(...page)), last)
    follower = thisFollower
    const onLost = (): void => {
      if (isClosed) return
      close()
      thisFollower.pause()
      if (!stopped) void reconnect()
    }
    timer = setInterval(() => {
      if (!isAlive) return onLost()
      isAlive = false
      socket.send(PING)
    }, PING_MS)
    socket.addEventListener('close', onLost)
    socket.addEventListener('error', onLost)
    socket.addEventListener('message', ({ data }) => {
      isAlive = true
      // `<id> <event>`, or a reply to a ping, without a space
      const text = `${data}`
      const at = text.indexOf(' ')
      if (at > 0 && !isClosed) thisFollower.receive({ id: text.slice(0, at), text: text.slice(at + 1) })
    })
    return last
  }
  const connectAndCatchUp = async (): Promise<void> => {
    try {
      await withTimeout(connect)
      await follower?.catchUp()
    } catch (error) {
      closeCurrent()
      throw error
    }
  }
  const reconnect = (): Promise<void> =>
    retry(giveUpMs, () => !stopped, connectAndCatchUp).catch((error) => listener.fail(error))
  return {
    from: await connect(),
    stop() {
      stopped = true
      closeCurrent()
    },
  }
}
