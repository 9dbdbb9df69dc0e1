import type { IncomingMessage } from 'node:http'
import { parseJson } from '../../internal/body/parse-json.ts'
import { checkSize, DEFAULT_LIMIT } from '../../internal/body/read-body.ts'
import { type Awaitable, isPromise, markHandled } from '../../internal/promise/awaitable.ts'
import { readStream } from '../platform/read-stream.ts'
import { formOf, typedContent } from '../platform/typed-content.ts'
import { collect, decode, markTaken } from './body.ts'
import { fork, streamOf, toStream } from './body-stream.ts'
import { exposeInternalSlots, inheritFrom } from './platform-class.ts'
import { isDisturbed } from './streams.ts'

/** The part of a request that reads its body once, and keeps it for later readers. */
export abstract class NodeBody {
  static {
    inheritFrom(this, 'Request', () => exposeInternalSlots(this.prototype))
  }

  /** The limit of the stream that users see, which readers here do not read. */
  declare readonly '~counted'?: number
  readonly #incoming: IncomingMessage
  #bytes: Awaitable<Uint8Array<ArrayBuffer>> | undefined = undefined
  #early: Uint8Array<ArrayBuffer> | undefined = undefined
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined = undefined
  #limit = DEFAULT_LIMIT

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  abstract header(name: string): string | null

  abstract clone(): Request

  get incoming(): IncomingMessage {
    return this.#incoming
  }

  get method(): string {
    return this.#incoming.method!
  }

  /** Use a body that other code has read, unless it was already read through this class. */
  setBytes(bytes: Promise<Uint8Array<ArrayBuffer>>): void {
    if (!this.#stream) this.#bytes ??= bytes
  }

  /** Set the body that came with the head, for readers that start while the request begins. */
  offer(body: Uint8Array<ArrayBuffer>): void {
    this.#early = body
  }

  /** From now on, readers read from the message. @returns whether the offered body was read */
  withdraw(): boolean {
    const wasRead = !this.#early
    this.#early = undefined
    return wasRead
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.#mayHaveBody) return null
    // The bytes are kept, so a stream that was read is replaced by a new one
    if (this.#bytes && this.#stream && isDisturbed(this.#stream)) this.#stream = undefined
    this.#stream ??= this.#bytes ? streamOf(this.#bytes) : toStream(this.#incoming)
    return this.#stream
  }

  /** False as long as the body can still be read. */
  get bodyUsed(): boolean {
    return !this.#bytes && this.#stream !== undefined && isDisturbed(this.#stream)
  }

  /** Without `limit`, the limit of the request applies, and none to bytes that were already read. */
  bytesWithin(limit?: number): Promise<Uint8Array<ArrayBuffer>> {
    const available = this.#availableBytes(limit)
    if (available) {
      const bytes = Promise.resolve(available)
      return limit === undefined ? bytes : bytes.then((all) => checkSize(all, limit))
    }
    if (this.bodyUsed) return Promise.reject(new TypeError('Body is unusable: its stream has been read'))
    const max = Math.min(limit ?? this.#limit, this['~counted'] ?? Number.POSITIVE_INFINITY)
    const bytes = this.#stream
      ? readStream(this.#stream, max)
      : this.#mayHaveBody
        ? collect(this.#incoming, max)
        : Promise.resolve(new Uint8Array())
    this.#bytes = bytes
    return bytes
  }

  limitBody(limit: number = DEFAULT_LIMIT): void {
    this.#limit = limit
  }

  /** Returns at once if the bytes have arrived. */
  textAs<T>(convert = (text: string): Awaitable<T> => text as T): Awaitable<T> {
    const bytes = this.#availableBytes() ?? this.bytesWithin()
    if (isPromise(bytes)) return bytes.then((late) => convert(decode(late)))
    try {
      return convert(decode(bytes))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Kept bytes, or those that came with the head and are within the limit. */
  #availableBytes(limit = this.#limit): Awaitable<Uint8Array<ArrayBuffer>> | undefined {
    const early = this.#early
    if (!early || this.#bytes || this.#stream || early.length > limit) return this.#bytes
    this.#early = undefined
    this.#bytes = early
    markTaken(this.#incoming)
    return early
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read((bytes) => new Uint8Array(bytes))
  }

  text(): Promise<string> {
    return this.#read(decode)
  }

  json(): Promise<unknown> {
    return this.#read((bytes) => parseJson(decode(bytes)))
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read((bytes) => new Uint8Array(bytes).buffer)
  }

  blob(): Promise<Blob> {
    return this.#read((bytes) => typedContent(bytes, this.header('content-type')).blob())
  }

  formData(): Promise<FormData> {
    return this.#read((bytes) => formOf(bytes, this.header('content-type')))
  }

  /** Without `await`, a rejection must not end the process, because clients can cause it. */
  #read<T>(convert: (bytes: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
    return markHandled(this.bytesWithin().then(convert))
  }

  /** The body for another request. */
  protected copyBody(): ReadableStream | undefined {
    if (!this.#mayHaveBody) return undefined
    if (this.bodyUsed) throw new TypeError('Request.clone: Body has already been consumed.')
    if (this.#bytes) return streamOf(this.#bytes)
    const [original, copy] = fork(this.body!)
    this.#stream = original
    return copy
  }

  get #mayHaveBody(): boolean {
    const { method } = this
    return method !== 'GET' && method !== 'HEAD'
  }
}
