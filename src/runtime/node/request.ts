import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Execution } from '../../context.ts'
import { badForm } from '../../internal/bad-form.ts'
import { parseJson } from '../../internal/parse-json.ts'
import * as platform from '../platform/request.ts'
import { collect, toStream } from './body.ts'
import { isClosed, isCutOff } from './closed.ts'
import { NodeHeaders } from './headers.ts'
import { inheritFrom } from './inherit.ts'

/**
 * A request that reads what it is asked for from Node's own message: no header map, URL, signal or stream until somebody wants one. The body is read once and
 * kept, so it can be asked for any number of times. The platform's own `Request`, for `fetch` and `new Request`, comes from `clone()`.
 */
export class NodeRequest implements Request {
  static {
    inheritFrom(this, 'Request')
  }

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

  get method(): string {
    return this.#incoming.method!
  }

  get search(): string {
    return this.#rest.slice(this.path.length)
  }

  get peer(): string | undefined {
    return this.#incoming.socket.remoteAddress
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
    this.#stream ??= this.#bytes ? streamOf(this.#bytes) : toStream(this.#incoming)
    return this.#stream
  }

  /** False as long as the body can still be read: it is kept, unless its stream was taken. */
  get bodyUsed(): boolean {
    return !this.#bytes && this.#stream !== undefined && Readable.isDisturbed(this.#stream as never)
  }

  bytesWithin(limit: number = Number.POSITIVE_INFINITY): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#bytes) return this.#bytes.then((bytes) => platform.within(bytes, limit))
    if (this.bodyUsed) return Promise.reject(new TypeError('Body is unusable: its stream has been read'))
    this.#bytes = this.#stream
      ? platform.readStream(this.#stream, limit)
      : this.#mayHaveBody
        ? collect(this.#incoming, limit)
        : Promise.resolve(new Uint8Array())
    return this.#bytes
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.bytesWithin()
  }

  text(): Promise<string> {
    return this.bytesWithin().then(decode)
  }

  json(): Promise<any> {
    return this.bytesWithin().then((bytes) => parseJson(decode(bytes)))
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytesWithin()
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytesWithin()], { type: this.header('content-type') ?? '' })
  }

  async formData(): Promise<FormData> {
    const type = this.header('content-type')
    const body = new Response(await this.bytesWithin(), type ? { headers: { 'content-type': type } } : {})
    return body.formData().catch(badForm)
  }

  /** A platform `Request` with the same body: for `fetch`, `new Request` and caches, which accept no other. */
  clone(): Request {
    const { method, headers, url, signal } = this
    if (!this.#mayHaveBody) return new Request(url, { method, headers, signal })
    if (this.bodyUsed) throw new TypeError('Request.clone: Body has already been consumed.')
    let body: ReadableStream
    if (this.#bytes) body = streamOf(this.#bytes)
    else [this.#stream, body] = this.body!.tee() as [ReadableStream<Uint8Array<ArrayBuffer>>, ReadableStream]
    const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
    return new Request(url, init)
  }

  get cache(): RequestCache {
    return 'default'
  }

  get credentials(): RequestCredentials {
    return 'same-origin'
  }

  get destination(): RequestDestination {
    return ''
  }

  get duplex(): 'half' {
    return 'half'
  }

  get integrity(): string {
    return ''
  }

  get keepalive(): boolean {
    return false
  }

  get mode(): RequestMode {
    return 'cors'
  }

  get redirect(): RequestRedirect {
    return 'follow'
  }

  get referrer(): string {
    return 'about:client'
  }

  get referrerPolicy(): ReferrerPolicy {
    return ''
  }

  get [Symbol.toStringTag](): string {
    return 'Request'
  }

  get #mayHaveBody(): boolean {
    const { method } = this
    return method !== 'GET' && method !== 'HEAD'
  }
}

/** HTTP/2 brings method and path as fields of their own, which Fetch does not show. */
const isRegular = (_: string, index: number, all: string[]): boolean => !all[index - (index % 2)]!.startsWith(':')

const streamOf = (bytes: Promise<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    async start(controller) {
      const all = await bytes
      if (all.byteLength) controller.enqueue(all.slice())
      controller.close()
    },
  })

/** UTF-8 as Fetch decodes it: a byte order mark is dropped. */
const decode = (bytes: Uint8Array): string => {
  const text = Buffer.isBuffer(bytes) ? bytes.toString() : new TextDecoder().decode(bytes)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

export const pathOf = (request: Request): string =>
  NodeRequest.owns(request) ? request.path : platform.pathOf(request)

export const searchOf = (request: Request): string =>
  NodeRequest.owns(request) ? request.search : platform.searchOf(request)

export const headerOf = (request: Request, name: string): string | null =>
  NodeRequest.owns(request) ? request.header(name) : request.headers.get(name)

export const rereadable = (request: Request): Request =>
  NodeRequest.owns(request) ? request : platform.rereadable(request)

export const textOf = (request: Request): Promise<string> =>
  NodeRequest.owns(request) ? request.text() : platform.textOf(request)

export const bytesOf = (request: Request, limit?: number): Promise<Uint8Array<ArrayBuffer>> =>
  NodeRequest.owns(request) ? request.bytesWithin(limit) : platform.bytesOf(request, limit)

export const peerOf = (request: Request, _env?: unknown, _execution?: Execution): string | undefined =>
  NodeRequest.owns(request) ? request.peer : undefined
