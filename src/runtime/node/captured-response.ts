import { type IncomingMessage, ServerResponse } from 'node:http'
import { tooSlow } from '../../internal/stream/backpressure.ts'
import { createResponse } from './response.ts'

type WriteCallback = (error?: Error | null) => void

/** The last parameter of `writeHead`: a record, or alternating names and values. */
type Fields = readonly string[] | Readonly<Record<string, string | string[]>>

/** Bytes that may be buffered before `write` asks the writer to wait. */
const HIGH_WATER = 65_536

/** Bytes that may wait for a client when a writer that does not wait writes more. */
const MAX_WAITING = 67_108_864

/** Node's response without a socket. Its content becomes a `Response`, as a stream unless it is written at once. */
export class CapturedResponse extends ServerResponse {
  /** Gets the response, or an error, when the headers are sent, and is called again at the end. */
  answer: (made: Response | Error | undefined) => void = () => {}
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined = undefined
  #left = false
  /** Callbacks of writes that wait for the client. */
  #waiting: WriteCallback[] = []

  constructor(incoming: IncomingMessage) {
    super(incoming)
    // Nothing else ends Node's own parts; an error without a listener would end the process.
    this.on('error', () => {})
  }

  // any: the three forms of writeHead
  override writeHead(status: number, ...rest: any[]): this {
    const fields: Fields = rest.find((part) => typeof part === 'object' && part) ?? []
    if (Array.isArray(fields)) {
      const names = new Set<string>()
      for (let index = 0; index < fields.length; index += 2) {
        const name = `${fields[index]}`.toLowerCase()
        if (names.has(name)) this.appendHeader(name, fields[index + 1])
        else this.setHeader(name, fields[index + 1])
        names.add(name)
      }
    } else for (const [name, value] of Object.entries(fields)) this.setHeader(name, value)
    return typeof rest[0] === 'string' ? super.writeHead(status, rest[0]) : super.writeHead(status)
  }

  // any: with or without an encoding, as Node has it
  override write(chunk: any, encoding?: any, done?: WriteCallback): boolean {
    if (this.writableEnded || this.#left) return false
    this.flushHeaders()
    // It has no size only if it has failed, or the client disconnected: both were checked
    const stream = this.#stream!
    const waiting = HIGH_WATER - stream.desiredSize!
    if (waiting > MAX_WAITING) {
      this.destroy(tooSlow(waiting))
      return false
    }
    const bytes = toBytes(chunk, encoding)
    if (bytes.byteLength) stream.enqueue(bytes)
    const called = typeof encoding === 'function' ? encoding : done
    const hasRoom = stream.desiredSize! > 0
    if (called && hasRoom) process.nextTick(called)
    else if (called) this.#waiting.push(called)
    return hasRoom
  }

  // any: with or without a chunk and an encoding, as Node has it
  override end(chunk?: any, encoding?: any, done?: WriteCallback): this {
    const called = [chunk, encoding, done].find((part) => typeof part === 'function')
    if (called) this.once('finish', called)
    if (this.writableEnded) return this
    const last =
      chunk === undefined || chunk === null || typeof chunk === 'function' ? undefined : toBytes(chunk, encoding)
    const hasStream = this.#stream !== undefined
    if (!this.headersSent) this.writeHead(this.statusCode)
    if (!hasStream) this.#give(last ?? null)
    else if (!this.#left) {
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

  /** Send the headers: from now on the body is a stream. */
  override flushHeaders(): void {
    if (this.#stream) return
    if (!this.headersSent) this.writeHead(this.statusCode)
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller
        },
        pull: () => {
          this.#written()
          this.emit('drain')
        },
        cancel: () => this.disconnect(),
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk.byteLength },
    )
    this.#give(body)
  }

  /** Report once that the connection is closed. */
  disconnect(): void {
    if (this.#left) return
    this.#left = true
    // As in Node, for code that reads it later: `finished` of node:stream, `pipeline`
    Object.assign(this, { destroyed: true, _closed: true })
    this.#written()
    this.emit('close')
  }

  #written(): void {
    for (const done of this.#waiting.splice(0)) process.nextTick(done)
  }

  /** A middleware aborts: its stream fails, or there is no response. */
  override destroy(error?: Error): this {
    const why = error ?? new Error('The middleware destroyed its response')
    if (this.#stream && !this.writableEnded && !this.#left) this.#stream.error(why)
    else if (!this.headersSent) this.answer(why)
    super.destroy(error)
    this.disconnect()
    return this
  }

  #give(body: Uint8Array | ReadableStream | null): void {
    const headers: [string, string][] = []
    for (const [name, value] of Object.entries(this.getHeaders()))
      for (const item of [value].flat()) headers.push([name, `${item}`])
    const bodiless = this.req.method === 'HEAD' || this.statusCode === 204 || this.statusCode === 304
    try {
      this.answer(
        createResponse(bodiless ? null : body, undefined, {
          status: this.statusCode,
          statusText: this.statusMessage,
          headers,
        }),
      )
    } catch (error) {
      this.answer(error as Error)
    }
  }
}

// any: text or bytes, as Node accepts them; a function instead of an encoding
const toBytes = (chunk: any, encoding: any): Uint8Array =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : new Uint8Array(chunk)
