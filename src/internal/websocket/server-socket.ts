import { type Awaitable, isPromise } from '../awaitable.ts'
import { report } from '../error/report.ts'
import type { RawEvents, RawSocket } from './raw-socket.ts'

/** One WebSocket, as its handlers see it. */
export interface ServerSocket {
  /** The subprotocol that was chosen, `''` for none. */
  readonly protocol: string
  /** Bytes that wait to be sent; 0 on Workers, which do not say. */
  readonly bufferedAmount: number
  /** Aborts when the connection has closed. */
  readonly signal: AbortSignal
  /**
   * Send a message: a text, or bytes.
   *
   * @returns false once the socket is closing; else true, or a promise if the client takes its messages slowly, which
   * resolves when it has taken them
   */
  send(message: string | Uint8Array): Awaitable<boolean>
  /** Say goodbye (RFC 6455 §7.4). @param code 1000, or 3000 to 4999 for your own. @default 1000 */
  close(code?: number, reason?: string): void
  /** Cut the connection without a word. */
  terminate(): void
}

/** What happens to a socket. */
export interface SocketHandlers<Message> {
  /** The connection stands. */
  readonly open?: (socket: ServerSocket) => Awaitable<unknown>
  /** A message has come. The next one waits until a promise that this returns has settled. */
  readonly message?: (socket: ServerSocket, message: Message) => Awaitable<unknown>
  /** The connection has ended. 1006 stands for a connection that was cut. */
  readonly close?: (socket: ServerSocket, code: number, reason: string) => Awaitable<unknown>
  /** A bad message, a broken frame, a client that is too slow. Without it, a bad message closes with 1007. */
  readonly error?: (socket: ServerSocket, error: unknown) => Awaitable<unknown>
  /** A client that was slow has taken what was sent. */
  readonly drain?: (socket: ServerSocket) => Awaitable<unknown>
}

/** Limits of a socket. */
export interface SocketLimits {
  readonly maxPayload: number
  readonly backpressureLimit: number
  /** Gives what the message handler gets. @throws for a bad message */
  readonly read: (message: string | Uint8Array) => Awaitable<unknown>
}

/** Bytes that may wait before `send` returns a promise. */
const HIGH_WATER = 65_536

/** Messages that may wait for a handler that is slower than its client, where reading cannot be halted. */
const MAX_WAITING = 1024

/** A message that a schema refuses, or that is no JSON. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
}

/** The connection between a runtime's socket and its handlers. */
export class Connection implements ServerSocket, RawEvents {
  readonly #handlers: SocketHandlers<any> // any: what `read` gives
  readonly #limits: SocketLimits
  readonly #ended: () => void
  #raw: RawSocket | undefined = undefined
  #closing = false
  #over = false
  #abort: AbortController | undefined = undefined
  #waiting: ((open: boolean) => void)[] | undefined = undefined
  #inbox: (string | Uint8Array)[] | undefined = undefined
  #held = 0
  /** When the client was last heard, in milliseconds. */
  seen = 0

  constructor(
    handlers: SocketHandlers<any>,
    limits: SocketLimits,
    /** Called once. */
    ended: () => void,
  ) {
    this.#handlers = handlers
    this.#limits = limits
    this.#ended = ended
  }

  get protocol(): string {
    return this.#raw?.protocol ?? ''
  }

  get bufferedAmount(): number {
    return this.#raw?.bufferedAmount ?? 0
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#over) this.#abort.abort()
    return this.#abort.signal
  }

  send(message: string | Uint8Array): Awaitable<boolean> {
    const raw = this.#raw
    if (!raw || this.#closing) return false
    raw.send(message)
    const waiting = raw.bufferedAmount
    if (waiting <= HIGH_WATER) return true
    if (waiting > this.#limits.backpressureLimit) {
      this.#tell(new Error(`The client is too slow: ${waiting} bytes wait for it`))
      this.terminate()
      return false
    }
    return new Promise((resolve) => {
      this.#waiting ??= []
      this.#waiting.push(resolve)
    })
  }

  close(code = 1000, reason = ''): void {
    if (this.#closing) return
    this.#closing = true
    this.#raw?.close(code, reason)
    this.#wake(false)
  }

  terminate(): void {
    this.#closing = true
    this.#raw?.terminate()
    this.#wake(false)
  }

  ping(): void {
    if (!this.#closing) this.#raw?.ping?.()
  }

  open(raw: RawSocket): void {
    this.#raw = raw
    this.seen = performance.now()
    if (this.#closing) raw.close(1001, '')
    // Messages wait until `open` has returned what it promised
    else this.#run([], () => this.#handlers.open?.(this))
  }

  message(message: string | Uint8Array): void {
    this.seen = performance.now()
    if (this.#closing) return
    const size = sizeOf(message, this.#limits.maxPayload)
    if (size > this.#limits.maxPayload) {
      this.#tell(new Error(`A message of ${size} bytes is longer than the limit`))
      this.close(1009, 'Message too big')
    } else if (this.#inbox) this.#keep(this.#inbox, message)
    else this.#take(message)
  }

  /** A handler is at work: the message waits. */
  #keep(inbox: (string | Uint8Array)[], message: string | Uint8Array): void {
    inbox.push(message)
    this.#held += message.length
    this.#raw?.pause?.()
    if (inbox.length <= MAX_WAITING && this.#held <= 2 * this.#limits.maxPayload + HIGH_WATER) return
    this.#tell(new Error('Messages come faster than they are handled'))
    this.close(1008, 'Too many messages')
  }

  pong(): void {
    this.seen = performance.now()
  }

  drain(): void {
    if (this.bufferedAmount > HIGH_WATER) return
    const waited = this.#waiting !== undefined
    this.#wake(true)
    if (waited) this.#call(() => this.#handlers.drain?.(this))
  }

  error(error: unknown): void {
    this.#tell(error)
  }

  /** The runtime has closed it. */
  closed(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#closing = true
    this.#inbox = undefined
    this.#wake(false)
    this.#abort?.abort()
    this.#ended()
    // A handshake that came to nothing was never open
    if (this.#raw) this.#call(() => this.#handlers.close?.(this, code, reason))
  }

  #take(message: string | Uint8Array, rest: (string | Uint8Array)[] = []): void {
    const { message: handle } = this.#handlers
    this.#run(rest, () => {
      let given: Awaitable<unknown>
      try {
        given = this.#limits.read(message)
      } catch (error) {
        return this.#refuse(error)
      }
      if (!isPromise(given)) return handle?.(this, given)
      return given.then(
        (value) => (this.#over ? undefined : handle?.(this, value)),
        (error) => this.#refuse(error),
      )
    })
  }

  #refuse(error: unknown): Awaitable<unknown> {
    const told = new BadMessage('The message is not what was expected', { cause: error })
    return this.#handlers.error ? this.#handlers.error(this, told) : this.close(1007, 'Bad message')
  }

  /** Run a handler; while it is at work, messages wait. */
  #run(inbox: (string | Uint8Array)[], work: () => Awaitable<unknown>): void {
    this.#inbox = inbox
    const next = (): void => {
      const message = this.#inbox?.shift()
      if (message === undefined || this.#closing) {
        this.#inbox = undefined
        this.#held = 0
        this.#raw?.resume?.()
      } else {
        this.#held -= message.length
        this.#take(message, this.#inbox)
      }
    }
    const fail = (error: unknown): void => {
      this.#tell(error)
      this.close(1011, 'Internal error')
      next()
    }
    try {
      const result = work()
      if (isPromise(result)) result.then(next, fail)
      else next()
    } catch (error) {
      fail(error)
    }
  }

  #call(work: () => Awaitable<unknown>): void {
    try {
      const result = work()
      if (isPromise(result)) result.then(undefined, report)
    } catch (error) {
      report(error)
    }
  }

  #tell(error: unknown): void {
    if (this.#handlers.error) this.#call(() => this.#handlers.error!(this, error))
    else if (!isClients(error)) report(error)
  }

  #wake(open: boolean): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const resolve of waiting ?? []) resolve(open)
  }
}

/** Broken frames and cut connections are the client's doing: no line in a log for each. */
const isClients = (error: unknown): boolean =>
  /^(WS_ERR|ECONN|EPIPE|ERR_STREAM)/.test((error as { code?: string } | undefined)?.code ?? '')

/** Bytes of a message; a text that is short enough anyway is not counted. */
const sizeOf = (message: string | Uint8Array, most: number): number =>
  typeof message === 'string' && message.length * 3 > most
    ? new TextEncoder().encode(message).byteLength
    : message.length
