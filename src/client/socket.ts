import { checkOption, checkWhole } from '../internal/options/check.ts'
import { checkDelay } from '../internal/time/delay.ts'
import { pause } from '../internal/time/pause.ts'
import { AsyncQueue } from '../internal/websocket/async-queue.ts'
import { type ConnectionEnd, followTarget, type TargetSocket } from '../internal/websocket/target-socket.ts'
import type {
  ClientSocket,
  ReceivedMessage,
  SentMessages,
  SocketArguments,
  SocketOptions,
  TakenMessages,
} from './socket-types.ts'
import type { RoutesByMethod } from './types.ts'

export type { ClientSocket, ReceivedMessage, SocketOptions } from './socket-types.ts'

/** Ends the loop: the server has closed the connection for good, or cannot be reached. */
export class SocketClosed extends Error {
  override readonly name: string = 'SocketClosed'
  /** Code of the close (RFC 6455 §7.4); 1006 for a connection that never opened, or was cut. */
  readonly code: number
  /** The reason that the server sent with the code. */
  readonly reason: string

  constructor(code: number, reason: string, message: string) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** The server stops, fails, restarts or is full, or the reason is unknown (IANA close codes). */
const TEMPORARY_CODES = [1001, 1006, 1011, 1012, 1013, 1014]

/**
 * A WebSocket with the types of an application, as a loop over its messages that reconnects when the connection is
 * lost. `params` and `query` are read again for each connection: a getter may return the last seen position.
 *
 * The wait doubles with each consecutive connection without a message. The loop ends when the server closes with 1000
 * or without a code. It connects again after 1001, 1006 and 1011 to 1014.
 *
 * @throws {TypeError} for a bad option, and without `connect` if the platform has no `WebSocket`.
 * @throws {SocketClosed} from the loop, for any other code, and if the first connection never opens.
 * @throws {RangeError} from the loop, if more than `receiveLimit` messages wait for it.
 * @example
 * const chat = socket(api, '/rooms/:room', { params: { room: 'lobby' } })
 * chat.sendJson({ text: 'hello' })
 * for await (const message of chat) console.log(message.json())
 */
export const socket = <T, const P extends keyof T & string>(
  api: RoutesByMethod<{ readonly GET: T }>,
  path: P,
  ...[init]: SocketArguments<T[P]>
): ClientSocket<TakenMessages<T[P]>, SentMessages<T[P]>> => {
  const options: SocketOptions = init ?? {}
  const { signal, protocols = [], onOpen, connect = openSocket, sleep = pause, random = Math.random } = options
  const { retryMs = 1000, maxRetryMs = 30_000, timeoutMs = 10_000 } = options
  const { sendLimit = 1_048_576, receiveLimit = 1024 } = options
  checkDelay(retryMs, 'socket: retryMs')
  checkDelay(maxRetryMs, 'socket: maxRetryMs')
  checkDelay(timeoutMs, 'socket: timeoutMs', 1)
  checkWhole(sendLimit, 'socket: sendLimit', 'bytes')
  checkWhole(receiveLimit, 'socket: receiveLimit', 'messages', 1)
  const able = options.connect || typeof globalThis.WebSocket === 'function'
  checkOption(able, 'socket: connect', 'a function, since this platform has no WebSocket', options.connect)
  const { '~url': urlOf } = api as { '~url': (path: string, init: object) => string }

  const queue = new AsyncQueue<ReceivedMessage<never>>(receiveLimit)
  /** For the next connection. */
  let waiting: (string | Uint8Array)[] = []
  let waitingBytes = 0
  let current: TargetSocket | undefined
  let closeFrame: [code: number, reason: string] = [1000, '']
  const ending = new AbortController()

  const endSocket = (error?: unknown): void => {
    signal?.removeEventListener('abort', stopListening)
    queue.end(error)
    waiting = []
    ending.abort()
  }
  const stopListening = (): void => {
    endSocket()
    queue.drop()
  }
  const begin = (target: TargetSocket): void => {
    current = target
    try {
      onOpen?.()
    } catch (error) {
      endSocket(error)
    }
    for (const message of waiting.splice(0)) target.send(message)
    waitingBytes = 0
  }
  const receive = (message: string | Uint8Array): void => {
    const json = (): never => {
      if (typeof message !== 'string') throw new TypeError('The message is bytes, not JSON')
      return JSON.parse(message) as never
    }
    if (!queue.put({ data: message, json }))
      endSocket(new RangeError(`socket: ${receiveLimit} messages wait to be read`))
  }

  const connectOnce = async (): Promise<ConnectionEnd> => {
    const address = new URL(urlOf(path, options), globalThis.location?.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const target = await connect(address.href, [...protocols])
    const events = { open: () => begin(target), message: receive, closeFrame: () => closeFrame, timeoutMs }
    try {
      return await followTarget(target, { ...events, left: ending.signal })
    } finally {
      current = undefined
    }
  }

  const run = async (): Promise<void> => {
    let failures = 0
    let hasConnected = false
    while (!ending.signal.aborted) {
      const { isOpen, hasMessages, code, reason } = await connectOnce().catch((error): ConnectionEnd => {
        if (hasConnected) return { isOpen: false, hasMessages: false, code: 1006, reason: '' }
        throw error
      })
      if (ending.signal.aborted) return
      if (!isOpen && !hasConnected) return endSocket(new SocketClosed(code, reason, `socket: ${path}: no connection`))
      hasConnected = true
      if (code === 1000 || code === 1005) return endSocket()
      if (!TEMPORARY_CODES.includes(code))
        return endSocket(new SocketClosed(code, reason, `socket: ${path}: closed with ${code}`))
      if (hasMessages) failures = 0
      const wait = Math.min(maxRetryMs, retryMs * 2 ** failures++)
      await sleep(Math.round(wait * (0.5 + random() / 2)), ending.signal)
    }
  }

  const send = (message: string | Uint8Array): boolean => {
    if (ending.signal.aborted) return false
    const bytes = message.length
    if (current?.readyState === 1) {
      if ((current.bufferedAmount ?? 0) + bytes > sendLimit) return false
      current.send(message)
      return true
    }
    if (waitingBytes + bytes > sendLimit) return false
    waitingBytes += bytes
    waiting.push(message)
    return true
  }

  if (signal?.aborted) stopListening()
  else signal?.addEventListener('abort', stopListening)
  run().catch(endSocket)
  return {
    get connected() {
      return current?.readyState === 1
    },
    send,
    sendJson: (message) => send(JSON.stringify(message)),
    close(code = 1000, reason = '') {
      const able = code === 1000 || (code >= 3000 && code <= 4999)
      checkOption(able, 'close: code', '1000, or 3000 to 4999', code)
      const short = new TextEncoder().encode(reason).length <= 123
      checkOption(short, 'close: reason', 'a string of at most 123 bytes', reason)
      closeFrame = [code, reason]
      endSocket()
    },
    async next() {
      const value = await queue.take()
      return value ? { done: false, value } : { done: true, value: undefined }
    },
    async return() {
      stopListening()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const openSocket = (url: string, protocols: string[]): TargetSocket => new WebSocket(url, protocols) as TargetSocket
