import type { IncomingMessage, ServerResponse } from 'node:http'
import { handled } from '../../internal/awaitable.ts'
import { parseJson } from '../../internal/body/parse-json.ts'
import { DEFAULT_LIMIT, readStream, within } from '../../internal/body/read-body.ts'
import { showAs, shownFields } from '../../internal/show-as.ts'
import { formOf, typedContent } from '../platform/typed-content.ts'
import { collect, decode, fork, streamOf, toStream } from './body.ts'
import { signalOf } from './closed.ts'
import { NodeHeaders, receivedFields } from './headers.ts'
import { inheritFrom } from './inherit.ts'
import { isDisturbed } from './is-disturbed.ts'
import { lendInside } from './lend-inside.ts'
import { peerOf as peerOfMessage } from './peer.ts'
import { platformRequest } from './platform-request.ts'
import { receivedField } from './received-field.ts'
import { defineDefaults } from './request-defaults.ts'

/**
 * A request that reads from Node's own message on demand: it creates no header map, URL, signal or stream before it is
 * used. The body is read once and kept, so it can be read any number of times. The platform's own `Request`, for
 * `fetch` and `new Request`, comes from `clone()`.
 */
export class NodeRequest implements Request {
  static {
    inheritFrom(this, 'Request', () => lendInside(this.prototype))
    defineDefaults(this.prototype)
    showAs(this, 'Request', ({ method, url, headers }) => ({ method, url, headers: shownFields(headers) }))
  }

  // Members that are the same for every request of a client are in request-defaults.ts.
  declare readonly cache: RequestCache
  declare readonly credentials: RequestCredentials
  declare readonly destination: RequestDestination
  declare readonly duplex: 'half'
  declare readonly integrity: string
  declare readonly keepalive: boolean
  declare readonly mode: RequestMode
  declare readonly redirect: RequestRedirect
  declare readonly referrer: string
  declare readonly referrerPolicy: ReferrerPolicy
  declare readonly [Symbol.toStringTag]: string

  readonly #path: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #origin: string
  readonly #rest: string
  #headers: NodeHeaders | undefined = undefined
  #bytes: Promise<Uint8Array<ArrayBuffer>> | undefined = undefined
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined = undefined
  #signal: AbortSignal | undefined = undefined
  #limit = DEFAULT_LIMIT

  /** @param path of the URL, as router and middleware see it @param rest of the URL: path and query */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, path: string, origin: string, rest: string) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#path = path
    this.#origin = origin
    this.#rest = rest
  }

  /** Path of the URL, without parsing one. */
  get path(): string {
    return this.#path
  }

  /** Distinguishes our requests from the platform's. */
  static owns(request: Request): request is NodeRequest {
    return #incoming in request
  }

  /** The message behind it, for the upgrade to a WebSocket. */
  get incoming(): IncomingMessage {
    return this.#incoming
  }

  /** Node's own message behind our request. */
  static incomingOf(request: Request): IncomingMessage | undefined {
    return NodeRequest.owns(request) ? request.#incoming : undefined
  }

  /** Use a body that somebody else has read; not if it was already read through this class. */
  keep(bytes: Promise<Uint8Array<ArrayBuffer>>): void {
    if (!this.#stream) this.#bytes ??= bytes
  }

  get method(): string {
    return this.#incoming.method!
  }

  get search(): string {
    return this.#rest.slice(this.#path.length)
  }

  get peer(): string | undefined {
    return peerOfMessage(this.#incoming)
  }

  get url(): string {
    return this.#origin + this.#rest
  }

  get headers(): NodeHeaders {
    this.#headers ??= new NodeHeaders(receivedFields(this.#incoming.rawHeaders))
    return this.#headers
  }

  header(name: string): string | null {
    return this.#headers ? this.#headers.get(name) : receivedField(this.#incoming.rawHeaders, name)
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing)
    return this.#signal
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.#mayHaveBody) return null
    // Kept bytes can be streamed again after each stream that was read.
    if (this.#bytes && this.#stream && isDisturbed(this.#stream)) this.#stream = undefined
    this.#stream ??= this.#bytes ? streamOf(this.#bytes) : toStream(this.#incoming)
    return this.#stream
  }

  /** False as long as the body can still be read: it is kept, unless its stream was taken. */
  get bodyUsed(): boolean {
    return !this.#bytes && this.#stream !== undefined && isDisturbed(this.#stream)
  }

  /**
   * The kept bytes. Without a limit for this call, that of the request applies to reading, and kept bytes are returned
   * in any case.
   */
  bytesWithin(limit?: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#bytes) return limit === undefined ? this.#bytes : this.#bytes.then((bytes) => within(bytes, limit))
    if (this.bodyUsed) return Promise.reject(new TypeError('Body is unusable: its stream has been read'))
    const most = limit ?? this.#limit
    this.#bytes = this.#stream
      ? readStream(this.#stream, most)
      : this.#mayHaveBody
        ? collect(this.#incoming, most)
        : Promise.resolve(new Uint8Array())
    return this.#bytes
  }

  limitBody(limit: number = DEFAULT_LIMIT): void {
    this.#limit = limit
  }

  textAs<T>(convert = (text: string): T => text as T): Promise<T> {
    return this.bytesWithin().then((bytes) => convert(decode(bytes)))
  }

  // The methods of the platform. A client decides whether they reject, so a forgotten `await` must not end the process.

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

  #read<T>(convert: (bytes: Uint8Array<ArrayBuffer>) => T | Promise<T>): Promise<T> {
    return handled(this.bytesWithin().then(convert))
  }

  /** A platform `Request` with the same body. */
  clone(): Request {
    if (!this.#mayHaveBody) return platformRequest(this, undefined)
    if (this.bodyUsed) throw new TypeError('Request.clone: Body has already been consumed.')
    let body: ReadableStream
    if (this.#bytes) body = streamOf(this.#bytes)
    else [this.#stream, body] = fork(this.body!)
    return platformRequest(this, body)
  }

  get #mayHaveBody(): boolean {
    const { method } = this
    return method !== 'GET' && method !== 'HEAD'
  }
}
