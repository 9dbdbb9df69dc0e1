import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { badForm } from '../../internal/body/bad-form.ts'
import { parametersOf } from '../../internal/body/parameters.ts'
import { parseJson } from '../../internal/body/parse-json.ts'
import type { FormCounts } from '../../internal/body/parts.ts'
import { readForm, toFormData } from '../../internal/body/read-form.ts'
import { showAs, shownFields } from '../../internal/show-as.ts'
import { DEFAULT_LIMIT, readStream, within } from '../platform/body.ts'
import { collect, decode, streamOf, toStream } from './body.ts'
import { isClosed, isCutOff } from './closed.ts'
import { forwardable } from './forwardable.ts'
import { NodeHeaders } from './headers.ts'
import { inheritFrom } from './inherit.ts'
import { lendInside } from './lend-inside.ts'
import { peerOf as peerOfMessage } from './peer.ts'
import { defineDefaults } from './request-defaults.ts'

/**
 * A request that reads what it is asked for from Node's own message: no header map, URL, signal or stream until somebody wants one. The body is read once and
 * kept, so it can be asked for any number of times. The platform's own `Request`, for `fetch` and `new Request`, comes from `clone()`.
 */
export class NodeRequest implements Request {
  static {
    inheritFrom(this, 'Request', () => lendInside(this.prototype))
    defineDefaults(this.prototype)
    showAs(this, 'Request', ({ method, url, headers }) => ({ method, url, headers: shownFields(headers) }))
  }

  // What a request of a client never says is the same for all (request-defaults.ts).
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

  /** Path of the URL, without parsing one. */
  readonly path: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #origin: string
  readonly #rest: string
  #headers: NodeHeaders | undefined = undefined
  #bytes: Promise<Uint8Array<ArrayBuffer>> | undefined = undefined
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined = undefined
  #abort: AbortController | undefined = undefined
  #limit = DEFAULT_LIMIT

  /**
   * @param path of the URL, which router and middleware see
   * @param rest of the URL: path and query
   */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, path: string, origin: string, rest: string) {
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.path = path
    this.#origin = origin
    this.#rest = rest
  }

  /** Ours, told from the platform's. */
  static owns(request: Request): request is NodeRequest {
    return #incoming in request
  }

  /** The message behind it, for the upgrade to a WebSocket. */
  get incoming(): IncomingMessage {
    return this.#incoming
  }

  /** Node's own message behind a request of ours. */
  static incomingOf(request: Request): IncomingMessage | undefined {
    return NodeRequest.owns(request) ? request.#incoming : undefined
  }

  /** Take the body from somebody else who has read it; not if it was read through here. */
  keep(bytes: Promise<Uint8Array<ArrayBuffer>>): void {
    if (!this.#stream) this.#bytes ??= bytes
  }

  get method(): string {
    return this.#incoming.method!
  }

  get search(): string {
    return this.#rest.slice(this.path.length)
  }

  get peer(): string | undefined {
    return peerOfMessage(this.#incoming)
  }

  get url(): string {
    return this.#origin + this.#rest
  }

  get headers(): NodeHeaders {
    this.#headers ??= new NodeHeaders(
      this.#incoming.rawHeaders.map((text, index) => (index % 2 ? text : text.toLowerCase())).filter(isRegular),
    )
    return this.#headers
  }

  /** One header's value, straight from the list that the parser made. */
  header(name: string): string | null {
    if (this.#headers) return this.#headers.get(name)
    const raw = this.#incoming.rawHeaders
    const { length } = name
    let found: string | null = null
    for (let index = 0; index < raw.length; index += 2) {
      const key = raw[index]!
      if (key.length !== length || (key !== name && key.toLowerCase() !== name.toLowerCase())) continue
      found =
        found === null
          ? raw[index + 1]!
          : `${found}${length === 6 && /cookie/i.test(name) ? '; ' : ', '}${raw[index + 1]}`
    }
    return found
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController()
      this.#abort = abort
      const outgoing = this.#outgoing
      const leave = () => {
        if (isCutOff(outgoing)) abort.abort()
      }
      if (isClosed(outgoing)) leave()
      else outgoing.once('close', leave)
    }
    return this.#abort.signal
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.#mayHaveBody) return null
    // Bytes that are kept can be streamed again after each stream that was read.
    if (this.#bytes && this.#stream && Readable.isDisturbed(this.#stream as never)) this.#stream = undefined
    this.#stream ??= this.#bytes ? streamOf(this.#bytes) : toStream(this.#incoming)
    return this.#stream
  }

  /** False as long as the body can still be read: it is kept, unless its stream was taken. */
  get bodyUsed(): boolean {
    return !this.#bytes && this.#stream !== undefined && Readable.isDisturbed(this.#stream as never)
  }

  /** The kept bytes. Without a limit for this call, that of the request holds for reading, and bytes that are kept are given. */
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

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.bytesWithin().then((bytes) => new Uint8Array(bytes))
  }

  text(limit?: number): Promise<string> {
    return this.bytesWithin(limit).then(decode)
  }

  json(): Promise<any> {
    return this.bytesWithin().then((bytes) => parseJson(decode(bytes)))
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.bytesWithin().then((bytes) => new Uint8Array(bytes).buffer)
  }

  blob(): Promise<Blob> {
    return this.#response().then((response) => response.blob())
  }

  async formData(): Promise<FormData> {
    const type = this.header('content-type') ?? ''
    if (parametersOf(type, 'multipart/form-data')) {
      return toFormData(await readForm(await this.bytesWithin(), type, NO_COUNTS))
    }
    const response = await this.#response()
    return response.formData().catch(badForm)
  }

  /** The platform's class around the kept bytes, for what it makes of them and the content type. */
  async #response(): Promise<Response> {
    const type = this.header('content-type')
    return new Response(await this.bytesWithin(), type ? { headers: { 'content-type': type } } : {})
  }

  /**
   * A platform `Request` with the same body, for `fetch`, `new Request` and caches, which accept no other. The fields of
   * the connection stay behind, as `fetch` refuses them.
   */
  clone(): Request {
    const { method, url, signal } = this
    const headers = new NodeHeaders(forwardable(this.headers.fields))
    if (!this.#mayHaveBody) return new Request(url, { method, headers, signal })
    if (this.bodyUsed) throw new TypeError('Request.clone: Body has already been consumed.')
    let body: ReadableStream
    if (this.#bytes) body = streamOf(this.#bytes)
    else [this.#stream, body] = this.body!.tee() as [ReadableStream<Uint8Array<ArrayBuffer>>, ReadableStream]
    const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
    return new Request(url, init)
  }

  get #mayHaveBody(): boolean {
    const { method } = this
    return method !== 'GET' && method !== 'HEAD'
  }
}

/** Whoever asks for the whole form has bounded the whole body. */
const NO_COUNTS: FormCounts = { fields: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }

/** HTTP/2 brings method and path as fields of their own, which Fetch does not show. */
const isRegular = (_: string, index: number, all: string[]): boolean => !all[index - (index % 2)]!.startsWith(':')
