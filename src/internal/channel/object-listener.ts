import { inTime, timedOut } from '../time/in-time.ts'
import type { ChannelListener, Listening, Page } from './backend.ts'
import { LAST, PING } from './channel-object.ts'
import { answerTime, createFollower, type Follower } from './follower.ts'
import { NOTHING } from './message-id.ts'
import { retry } from './retry.ts'

/** The part of the platform's WebSocket that is used here. */
interface ObjectSocket {
  accept(): void
  send(message: string): void
  close(code?: number): void
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
}

interface ObjectTopic {
  readonly listener: ChannelListener
  /** Ask the object for a connection. */
  readonly open: () => Promise<Response>
  readonly read: (after: string, limit: number) => Promise<Page>
  readonly giveUpMs: number
}

/** How often the connection is checked, in milliseconds. */
const PING_MS = 30_000

/** Listen to one object. After a lost connection, the missed messages are read from its log. */
export const followObject = async ({ listener, open, read, giveUpMs }: ObjectTopic): Promise<Listening> => {
  let follower: Follower | undefined
  let hang: (() => void) | undefined
  let stopped = false
  /** Number of the newest attempt to connect: a connection that an older one gets is closed. */
  let newest = 0
  const answerMs = answerTime(giveUpMs)
  const limited = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(answerMs, () => timedOut(`The object did not answer within ${answerMs} ms`), work)

  const connect = async (): Promise<string> => {
    const turn = ++newest
    // The response of Workers
    const response = (await open()) as Response & { readonly webSocket?: ObjectSocket | null }
    const socket = response.webSocket
    if (!socket) {
      void response.body?.cancel().catch(() => {})
      throw new Error(`The object responded to a listener with ${response.status}`)
    }
    socket.accept()
    if (turn !== newest) {
      socket.close(1000)
      return NOTHING
    }
    const last = response.headers.get(LAST) ?? NOTHING
    const following = follower ?? createFollower(listener, (...page) => limited(() => read(...page)), last)
    follower = following
    let isAlive = true
    let isLost = false
    const timer = setInterval(() => {
      if (!isAlive) return onLost()
      isAlive = false
      socket.send(PING)
    }, PING_MS)
    const closeSocket = (): void => {
      isLost = true
      clearInterval(timer)
      try {
        socket.close(1000)
      } catch {} // Already closed
    }
    const onLost = (): void => {
      if (isLost) return
      closeSocket()
      following.pause()
      if (!stopped) void retryLater()
    }
    socket.addEventListener('close', onLost)
    socket.addEventListener('error', onLost)
    socket.addEventListener('message', ({ data }) => {
      isAlive = true
      // `<id> <event>`; the reply to a ping has no space
      const text = `${data}`
      const at = text.indexOf(' ')
      if (at > 0 && !isLost) following.hear({ id: text.slice(0, at), text: text.slice(at + 1) })
    })
    hang = closeSocket
    if (stopped) closeSocket()
    return last
  }
  const retryLater = (): Promise<void> => {
    const isWanted = (): boolean => !stopped
    const reconnect = async (): Promise<void> => {
      try {
        await limited(connect)
        await follower?.catchUp()
      } catch (error) {
        hang?.()
        throw error
      }
    }
    return retry(giveUpMs, isWanted, reconnect).catch((error) => {
      newest++
      listener.fail(error)
    })
  }
  return {
    from: await connect(),
    stop() {
      stopped = true
      hang?.()
    },
  }
}
