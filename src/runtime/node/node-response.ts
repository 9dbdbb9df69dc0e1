import { addTo, type FieldList } from '../../internal/header/fields.ts'
import { showAs, shownFields } from '../../internal/object/show-as.ts'
import type { ResponseBody } from '../contract.ts'
import { typedContent } from '../platform/typed-content.ts'
import { hasField, mergeLists, NodeHeaders } from './headers.ts'
import { defineDefaults, inheritFrom } from './platform-class.ts'
import { isDisturbed, isStream } from './streams.ts'

/** A response that the adapter writes directly. A platform `Response` is created only for what needs one. */
export class NodeResponse implements Response {
  static {
    inheritFrom(this, 'Response')
    defineDefaults(this.prototype, { type: 'default', url: '', redirected: false, [Symbol.toStringTag]: 'Response' })
    // Promise resolution looks up `then` on every response: this is faster than a getter or an own property
    Object.defineProperty(this.prototype, 'then', { value: undefined })
    showAs(this, 'Response', ({ status, statusText, headers }) => ({
      status,
      statusText,
      headers: shownFields(headers),
    }))
  }

  declare readonly type: ResponseType
  declare readonly url: string
  declare readonly redirected: boolean
  declare readonly [Symbol.toStringTag]: string

  readonly #status: number
  readonly #statusText: string
  #body: ResponseBody
  #length: number | undefined = undefined
  #used = false
  #native: Response | undefined = undefined
  #fields: readonly string[]
  #lists: FieldList[] | undefined = undefined
  #headers: NodeHeaders | undefined = undefined

  constructor(body: ResponseBody, status: number, statusText: string, fields: readonly string[]) {
    this.#body = body
    this.#status = status
    this.#statusText = statusText
    this.#fields = fields
  }

  static owns(response: Response): response is NodeResponse {
    return #body in response
  }

  get status(): number {
    return this.#status
  }

  get statusText(): string {
    return this.#statusText
  }

  get headers(): NodeHeaders {
    this.#headers ??= new NodeHeaders(this.fields().slice())
    return this.#headers
  }

  /** The headers that will be written. Callers must not change them. */
  fields(): readonly string[] {
    if (this.#headers) return this.#headers.fields
    if (this.#lists) {
      this.#fields = mergeLists(this.#fields, this.#lists)
      this.#lists = undefined
    }
    return this.#fields
  }

  addList(list: FieldList): void {
    if (this.#headers) addTo(this.#headers, list)
    else if (this.#lists) this.#lists.push(list)
    else this.#lists = [list]
  }

  /** A field that is missing costs no header map. */
  removeField(name: string): void {
    if (this.#headers || hasField(this.#fields, name) || this.#lists?.some((list) => hasField(list, name)))
      this.headers.delete(name)
  }

  /** Mark the body as used, unless there is none, as the platform's class does. */
  take(): ResponseBody {
    const content = this.#content
    this.#used ||= content !== null
    return content
  }

  get knownLength(): number | undefined {
    return this.#length
  }

  /** The same response with its own headers, and the same body: a string can be sent any number of times. */
  copy(body: ResponseBody = this.#content): NodeResponse {
    const fields = this.#headers ? this.#headers.fields.slice() : this.#fields
    const copy = new NodeResponse(body, this.status, this.statusText, fields)
    copy.#lists = this.#lists?.slice()
    return copy
  }

  /** After `body` was read, this is the stream that it has returned. */
  get #content(): ResponseBody {
    return this.#native ? this.#native.body : this.#body
  }

  get stream(): ReadableStream | null {
    return isStream(this.#content) ? this.#content : null
  }

  withoutBody(): NodeResponse {
    const body = this.#content
    const copy = this.copy(null)
    if (isStream(body)) body.cancel().catch(() => {})
    else if (body !== null) copy.#length = Buffer.byteLength(body)
    return copy
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status < 300
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    // As the platform, return a stream unchanged, in any state
    return isStream(this.#body) && !this.#native ? this.#body : this.#platform().body
  }

  get bodyUsed(): boolean {
    if (this.#native) return this.#native.bodyUsed
    return this.#used || (isStream(this.#body) && isDisturbed(this.#body))
  }

  async text(): Promise<string> {
    if (this.#native || typeof this.#body !== 'string' || this.#used) return this.#platform().text()
    this.#used = true
    return this.#body.startsWith('\ufeff') ? this.#body.slice(1) : this.#body
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#platform().arrayBuffer()
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  blob(): Promise<Blob> {
    return this.#typed().then((response) => response.blob())
  }

  formData(): Promise<FormData> {
    return this.#typed().then((response) => response.formData())
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.')
    const native = this.#native ?? (isStream(this.#body) ? this.#platform() : undefined)
    const body = native ? native.clone().body : this.#body
    return new NodeResponse(body, this.status, this.statusText, this.fields().slice())
  }

  #platform(): Response {
    if (!this.#native) {
      this.#native = new Response(this.#body as BodyInit | null)
      if (this.#used) this.#native.text().catch(() => {})
    }
    return this.#native
  }

  /** A platform response with the bytes and the content type, which Fetch reads after the body. */
  async #typed(): Promise<Response> {
    return typedContent(await this.arrayBuffer(), this.headers.get('content-type'))
  }
}
