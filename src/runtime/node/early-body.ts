import { AsyncResource } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { endTaken, READ_SIZE } from './body.ts'
import type { NodeRequest } from './node-request.ts'
import { receivedField } from './received-fields.ts'
import type { Listener } from './upgrades.ts'

type Begin = (request: NodeRequest, outgoing: ServerResponse) => void

/** A request that waits for a body which may have come with its head. */
class PendingRequest {
  readonly earlier: PendingRequest | undefined
  isOpen = true
  readonly #request: NodeRequest
  readonly #outgoing: ServerResponse
  readonly #begin: Begin
  readonly #push: IncomingMessage['push']
  #body: Buffer<ArrayBuffer> | undefined = undefined

  constructor(request: NodeRequest, outgoing: ServerResponse, begin: Begin, earlier: PendingRequest | undefined) {
    this.#request = request
    this.#outgoing = outgoing
    this.#begin = begin
    this.earlier = earlier
    const { incoming } = request
    this.#push = incoming.push
    // The parser calls it with each part of the body, and with `null` at the end
    incoming.push = (chunk: Buffer<ArrayBuffer> | string | null, encoding?: BufferEncoding) => {
      if (chunk && typeof chunk === 'object' && !this.#body) {
        this.#body = chunk
        return true
      }
      return this.begin(chunk === null) ? endTaken(incoming) : incoming.push(chunk, encoding)
    }
  }

  /** Run the handler, once. A body that it does not read at once goes back. @returns whether the body was read */
  begin(isWhole = false): boolean {
    if (!this.isOpen) return false
    this.isOpen = false
    const request = this.#request
    const body = this.#body
    request.incoming.push = this.#push
    if (isWhole) request.offer(body ?? Buffer.alloc(0))
    this.#begin(request, this.#outgoing)
    const taken = isWhole && request.withdraw()
    if (body && !taken) request.incoming.push(body)
    return taken
  }
}

/**
 * Holds a request back, for a turn or two of the event loop, so that a short body sent with its head can be read
 * without a promise. If the body is not complete by then, the request begins without it, in the async context of
 * `listen`. Under a tracer, which needs the context of the connection, no request is held back.
 */
export class EarlyBodies {
  #server: Server | undefined
  /** The newest request of this turn. */
  #waiting: PendingRequest | undefined
  readonly #context = new AsyncResource('sluice.request')
  readonly #started = channel('http.server.request.start')

  /** Requests are held back only if our listener is the server's first: a wrapper would see them begin late. */
  watch(server: Server, listener: Listener): void {
    if (server.listeners('request')[0] === listener) this.#server = server
  }

  /** Whether a short body may be on its way. A client that sends `Expect` waits for an answer first. */
  mayCome({ method, rawHeaders }: IncomingMessage): boolean {
    if (method === 'GET' || method === 'HEAD' || this.#isTraced()) return false
    const length = receivedField(rawHeaders, 'content-length')
    return length !== null && Number(length) <= READ_SIZE && receivedField(rawHeaders, 'expect') === null
  }

  wait(request: NodeRequest, outgoing: ServerResponse, begin: Begin): void {
    if (!this.#waiting) setImmediate(beginLate, this)
    this.#waiting = new PendingRequest(request, outgoing, begin, this.#waiting)
  }

  /** Each begins in its own turn of the event loop, so that no handler leaves its async context to the next one. */
  beginLate(): void {
    let pending = this.#waiting
    this.#waiting = undefined
    for (; pending; pending = pending.earlier)
      if (pending.isOpen) this.#context.runInAsyncScope(setImmediate, undefined, begin, pending)
  }

  /** Tracers patch `emit`, or subscribe to Node's channel. */
  #isTraced(): boolean {
    return this.#started.hasSubscribers || this.#server?.emit !== EventEmitter.prototype.emit
  }
}

const beginLate = (bodies: EarlyBodies): void => bodies.beginLate()

const begin = (pending: PendingRequest): void => void pending.begin()
