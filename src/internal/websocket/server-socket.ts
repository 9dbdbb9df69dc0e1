import { type Awaitable, isPromise } from '../promise/awaitable.ts'
import { type Backpressure, HIGH_WATER, tooSlow, waitForDrain } from '../stream/backpressure.ts'
import { type Closing, endAtShutdown, type OpenSource } from '../stream/closing.ts'
import { call, passMessage, tellError } from './call-handlers.ts'
import { checkClose, MessageQueue, sizeOf } from './frames.ts'
import type { RawEvents, RawSocket } from './raw-socket.ts'
import type { AnyHandlers, ServerSocket, SocketLimits } from './socket-handlers.ts'
import { clock } from './watch.ts'

/** The connection between a runtime's socket and its handlers. */
export class Connection implements ServerSocket, RawEvents, OpenSource, Backpressure {
  readonly #handlers: AnyHandlers
  readonly #limits: SocketLimits
  readonly #server: Closing | undefined
  #raw: RawSocket | undefined = undefined
  #closing = false
  over = false
  /** Size of the last message, if more than the limit waited then. */
  #newest = 0
  #abort: AbortController | undefined = undefined
  drained: Backpressure['drained'] = undefined
  wake: Backpressure['wake'] = undefined
  /** Whether a handler is at work, so that messages wait. */
  #busy = false
  #queue: MessageQueue | undefined = undefined
  seen = 0

  constructor(handlers: AnyHandlers, limits: SocketLimits, server: Closing | undefined) {
    this.#handlers = handlers
    this.#limits = limits
    this.#server = server
    limits.watch.add(this)
    if (server) endAtShutdown(server, this)
  }

  endForShutdown(): void {
    this.close(1001, 'The server is closing')
  }

  /** Stop watching a socket that has ended or was never open. */
  forget(): void {
    this.#limits.watch.delete(this)
    this.#server?.openSources.delete(this)
  }

  get protocol(): string {
    return this.#raw?.protocol ?? ''
  }

  get bufferedAmount(): number {
    return this.#raw?.bufferedAmount ?? 0
  }

  get skipsIdleCheck(): boolean {
    // While a handler waits for the client to read, the check stays: it cuts a client that does not read
    return this.#raw?.watches ?? (this.#queue !== undefined && !this.drained && this.#raw?.pause !== undefined)
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.over) this.#abort.abort()
    return this.#abort.signal
  }

  send(message: string | Uint8Array): Awaitable<boolean> {
    const raw = this.#raw
    if (!raw || this.#closing) return false
    raw.send(message)
    const waiting = raw.bufferedAmount
    if (waiting <= HIGH_WATER) return true
    this.#newest = waiting > this.#limits.backpressureLimit ? sizeOf(message, 0) : 0
    return !this.#isTooSlow(waiting) && waitForDrain(this)
  }

  close(code = 1000, reason = ''): void {
    // Checked before anything changes: a socket that is closing without a close frame would stay open
    checkClose(code, reason)
    if (this.#closing) return
    this.#closing = true
    this.#raw?.close(code, reason)
    this.wake?.(false)
  }

  terminate(): void {
    this.#closing = true
    this.#raw?.terminate()
    this.wake?.(false)
  }

  ping(): void {
    if (!this.#closing) this.#raw?.ping?.()
  }

  open(raw: RawSocket): void {
    this.seen = clock()
    // The handlers never see a socket that was closed before it opened
    if (!this.#closing) this.#raw = raw
    // Messages wait until the promise of `open` has resolved
    if (this.#raw) this.#run(() => this.#handlers.open?.(this))
    else raw.close(1001, '')
  }

  message(message: string | Uint8Array): void {
    // `seen` stays: a client that goes on sending after the close frame is cut off like a silent one
    if (this.#closing) return
    this.seen = clock()
    const size = sizeOf(message, this.#limits.maxPayload)
    if (size > this.#limits.maxPayload) {
      this.error(new Error(`A message of ${size} bytes is longer than the limit`))
      this.close(1009, 'Message too big')
    } else if (this.#busy) this.#enqueue(message)
    else this.#run(() => this.#pass(message))
  }

  #enqueue(message: string | Uint8Array): void {
    this.#queue ??= new MessageQueue()
    const raw = this.#raw
    raw?.pause?.()
    if (this.#queue.put(message, 2 * this.#limits.maxPayload + HIGH_WATER, raw?.pause !== undefined)) return
    this.error(new Error('Messages arrive faster than they are handled'))
    this.close(1008, 'Too many messages')
  }

  pong(): void {
    if (this.#closing) return
    this.seen = clock()
    // A client may send pings for ever without reading the answers
    this.#isTooSlow(this.bufferedAmount)
  }

  drain(): void {
    if (!this.drained || this.bufferedAmount > HIGH_WATER) return
    this.seen = clock()
    this.wake?.(true)
    call(() => this.#handlers.drain?.(this))
  }

  error(error: unknown): void {
    tellError(this.#handlers, this, error)
  }

  closed(code: number, reason: string): void {
    if (this.over) return
    this.over = true
    this.#closing = true
    this.#queue = undefined
    this.wake?.(false)
    this.#abort?.abort()
    this.forget()
    if (this.#raw) call(() => this.#handlers.close?.(this, code, reason))
  }

  #pass(message: string | Uint8Array): Awaitable<unknown> {
    return passMessage(this, this.#handlers, this.#limits.read, message)
  }

  /** Run a handler, then the handlers of the messages that arrived meanwhile: a loop, as there may be thousands. */
  #run(work: () => Awaitable<unknown>): void {
    this.#busy = true
    let message: string | Uint8Array | undefined
    for (let next = work; ; next = () => this.#pass(message!)) {
      try {
        const done = next()
        if (isPromise(done)) {
          done.then(
            () => this.#run(() => {}),
            (error) => this.#run(() => this.#fail(error)),
          )
          return
        }
      } catch (error) {
        this.#fail(error)
      }
      message = this.#closing ? undefined : this.#queue?.take()
      if (message === undefined) break
    }
    this.#busy = false
    if (this.skipsIdleCheck) this.seen = clock()
    if (this.#queue) this.#raw?.resume?.()
    this.#queue = undefined
  }

  #fail(error: unknown): void {
    this.error(error)
    this.close(1011, 'Internal error')
  }

  /** Cuts the client off if it is too slow. The newest message, which it cannot have read yet, does not count. */
  #isTooSlow(waiting: number): boolean {
    if (waiting - this.#newest <= this.#limits.backpressureLimit) return false
    this.error(tooSlow(waiting))
    this.terminate()
    return true
  }
}
