import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tooSlow } from '../../internal/stream/backpressure.ts'
import { createResponse } from './response.ts'

type WriteCallback = (error?: Error | null) => void

/** Bytes that may be buffered before `write` asks the writer to wait. */
const HIGH_WATER = 65_536

/** Bytes that may wait for a client if the writer does not wait. */
const MAX_WAITING = 67_108_864

/** Node's response without a connection. Its content becomes a `Response`: a stream, unless all is written at once. */
export class CapturedResponse extends ServerResponse {
  /** Called with the response, or with an error. */
  onResponse: (result: Response | Error) => void = () => {}
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined = undefined
  #disconnected = false
  /** Callbacks of writes that wait for the client. */
  #waiting: WriteCallback[] = []

  constructor(incoming: IncomingMessage) {
    super(incoming)
    // An error without a listener would end the process
    this.on('error', () => {})
    // Most middleware learns only from the socket that the client has disconnected
    const socket = new Socket().on('error', () => {})
    // An application of Express gives each response another prototype
    const { writeHead, write, end, flushHeaders, destroy, disconnect } = this
    Object.assign(this, { socket, writeHead, write, end, flushHeaders, destroy, disconnect })
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const given = rest.find((part) => typeof part === 'object' && part) ?? []
    const fields = given as string[] | Record<string, string>
    if (Array.isArray(fields)) {
      // Fields replace those that were set before, but not each other
      for (let index = 0; index < fields.length; index += 2) this.removeHeader(`${fields[index]}`)
      for (let index = 0; index < fields.length; index += 2) this.appendHeader(`${fields[index]}`, fields[index + 1]!)
    } else for (const [name, value] of Object.entries(fields)) this.setHeader(name, value)
    return typeof rest[0] === 'string' ? super.writeHead(status, rest[0]) : super.writeHead(status)
  }

  override write(chunk: unknown, encoding?: unknown, done?: WriteCallback): boolean {
    if (this.writableEnded || this.#disconnected) return false
    this.flushHeaders()
    // `desiredSize` is null only after an error or a disconnect, and both were checked
    const stream = this.#stream!
    const waiting = HIGH_WATER - stream.desiredSize!
    if (waiting > MAX_WAITING) {
      this.destroy(tooSlow(waiting))
      return false
    }
    const bytes = toBytes(chunk, encoding)
    if (bytes.byteLength) stream.enqueue(bytes)
    const callback = [encoding, done].find(isCallback)
    const hasRoom = stream.desiredSize! > 0
    if (callback && hasRoom) process.nextTick(callback)
    else if (callback) this.#waiting.push(callback)
    return hasRoom
  }

  override end(chunk?: unknown, encoding?: unknown, done?: WriteCallback): this {
    const callback = [chunk, encoding, done].find(isCallback)
    if (callback) this.once('finish', callback)
    if (this.writableEnded) return this
    const last =
      chunk === undefined || chunk === null || typeof chunk === 'function' ? undefined : toBytes(chunk, encoding)
    const hasStream = this.#stream !== undefined
    if (!this.headersSent) this.writeHead(this.statusCode)
    if (!hasStream) this.#respond(last ?? null)
    else if (!this.#disconnected) {
      if (last?.byteLength) this.#stream!.enqueue(last)
      this.#stream!.close()
    }
    this.finished = true
    process.nextTick(() => {
      this.emit('prefinish')
      this.emit('finish')
      this.disconnect()
    })
    return this
  }

  /** From now on, the body is a stream. */
  override flushHeaders(): void {
    if (this.#stream) return
    if (!this.headersSent) this.writeHead(this.statusCode)
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller
        },
        pull: () => {
          this.#callBack()
          this.emit('drain')
        },
        cancel: () => this.disconnect(),
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk.byteLength },
    )
    this.#respond(body)
  }

  /** Report once that the connection is closed. */
  disconnect(): void {
    if (this.#disconnected) return
    this.#disconnected = true
    // As in Node, for `finished` and `pipeline` of node:stream
    Object.assign(this, { destroyed: true, _closed: true })
    this.socket?.destroy()
    this.#callBack()
    this.emit('close')
  }

  #callBack(): void {
    for (const done of this.#waiting.splice(0)) process.nextTick(done)
  }

  override destroy(error?: Error): this {
    const why = error ?? new Error('The middleware destroyed its response')
    if (this.#stream && !this.writableEnded && !this.#disconnected) this.#stream.error(why)
    else if (!this.headersSent) this.onResponse(why)
    super.destroy(error)
    this.disconnect()
    return this
  }

  #respond(body: Uint8Array | ReadableStream | null): void {
    const headers = this.getHeaders() as Record<string, string | string[]> // numbers become strings
    const { statusCode: status, statusMessage: statusText } = this
    const bodiless = this.req.method === 'HEAD' || status === 204 || status === 304
    try {
      this.onResponse(createResponse(bodiless ? null : body, undefined, { status, statusText, headers }))
    } catch (error) {
      this.onResponse(error as Error)
    }
  }
}

const isCallback = (part: unknown): part is WriteCallback => typeof part === 'function'

/** Text or bytes, as Node accepts them; there may be a function in place of an encoding. */
const toBytes = (chunk: unknown, encoding: unknown): Uint8Array =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : new Uint8Array(chunk as Uint8Array)
