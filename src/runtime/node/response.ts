import { Readable } from 'node:stream'
import { parseJson } from '../../internal/body/parse-json.ts'
import { isFieldValue } from '../../internal/header/field-name.ts'
import type { FieldList } from '../../internal/header/fields.ts'
import { addTo, type HeadersInput, hasNoBody, type ResponseOptions } from '../../internal/header/fields.ts'
import { mergeVary } from '../../internal/header/vary.ts'
import { showAs, shownFields } from '../../internal/show-as.ts'
import type { ResponseBody } from '../contract.ts'
import * as platform from '../platform/response.ts'
import { fieldIndex, hasField, NodeHeaders, toFields } from './headers.ts'
import { inheritFrom } from './inherit.ts'
import { passedOn } from './passed-on.ts'

/**
 * A response that the adapter can write as it is: status, field list, and the text or bytes. It becomes a platform `Response` inside only when somebody asks
 * for what takes one: its stream, a blob, form data, a clone of a stream.
 */
export class NodeResponse implements Response {
  static {
    inheritFrom(this, 'Response')
    showAs(this, 'Response', ({ status, statusText, headers }) => ({
      status,
      statusText,
      headers: shownFields(headers),
    }))
  }

  readonly #status: number
  readonly #statusText: string
  /** Kept on the prototype's level of cost: promise resolution looks for `then` on every response. */
  declare readonly then: undefined
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

  /** Ours, told from the platform's. */
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

  /** The fields that will be written; not to be changed. */
  fields(): readonly string[] {
    if (this.#headers) return this.#headers.fields
    if (this.#lists) {
      this.#fields = merge(this.#fields, this.#lists)
      this.#lists = undefined
    }
    return this.#fields
  }

  /** Add a list without looking into it: the writer does, once. */
  addList(list: FieldList): void {
    if (this.#headers) addTo(this.#headers, list)
    else if (this.#lists) this.#lists.push(list)
    else this.#lists = [list]
  }

  /** What the adapter writes: the text, the bytes, or a stream; taken once. */
  take(): ResponseBody {
    this.#used = true
    return this.#content
  }

  /** Length that a body had before it was taken away for HEAD. */
  get knownLength(): number | undefined {
    return this.#length
  }

  /** The same response with fields of its own. The body is shared: a text can be sent any number of times. */
  copy(body: ResponseBody = this.#content): NodeResponse {
    const fields = this.#headers ? this.#headers.fields.slice() : this.#fields
    const copy = new NodeResponse(body, this.status, this.statusText, fields)
    copy.#lists = this.#lists?.slice()
    return copy
  }

  /** What would be sent: a stream once somebody has asked for one. */
  get #content(): ResponseBody {
    return this.#native ? this.#native.body : this.#body
  }

  withoutBody(kept?: Response): NodeResponse {
    const body = this.#content
    const copy = this.copy(null)
    if (typeof body === 'string') copy.#length = Buffer.byteLength(body)
    else if (body instanceof Uint8Array) copy.#length = body.byteLength
    else if (body && body !== (kept && (NodeResponse.owns(kept) ? kept.#content : kept.body)))
      body.cancel().catch(() => {})
    return copy
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status < 300
  }

  get type(): ResponseType {
    return 'default'
  }

  get url(): string {
    return ''
  }

  get redirected(): boolean {
    return false
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    // The platform gives a stream as it is, in whatever state.
    return isStream(this.#body) && !this.#native ? this.#body : this.#platform().body
  }

  get bodyUsed(): boolean {
    if (this.#native) return this.#native.bodyUsed
    return this.#used || (isStream(this.#body) && Readable.isDisturbed(this.#body as never))
  }

  async text(): Promise<string> {
    if (this.#native || typeof this.#body !== 'string' || this.#used) return this.#platform().text()
    this.#used = true
    return this.#body.startsWith('\ufeff') ? this.#body.slice(1) : this.#body
  }

  async json(): Promise<any> {
    return parseJson(await this.text())
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

  get [Symbol.toStringTag](): string {
    return 'Response'
  }

  /** The platform's class around the same body, for what only it can do. */
  #platform(): Response {
    if (!this.#native) {
      this.#native = new Response(this.#body as BodyInit | null)
      if (this.#used) this.#native.text().catch(() => {})
    }
    return this.#native
  }

  /** The platform's class around the bytes, for what depends on the content type as it is now. */
  async #typed(): Promise<Response> {
    const type = this.headers.get('content-type')
    return new Response(await this.arrayBuffer(), type ? { headers: { 'content-type': type } } : {})
  }
}

const isStream = (body: ResponseBody): body is ReadableStream =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)

Object.defineProperty(NodeResponse.prototype, 'then', { value: undefined })

/** Lists put onto fields: each field only where there is none, `vary` and `set-cookie` added. */
const merge = (fields: readonly string[], lists: readonly FieldList[]): string[] => {
  const merged = fields.slice()
  for (const list of lists) {
    for (let index = 0; index < list.length; index += 2) {
      const name = list[index]!
      const value = list[index + 1]!
      const at = name === 'set-cookie' ? -1 : fieldIndex(merged, name)
      if (at < 0) merged.push(name, value)
      else if (name === 'vary') merged[at + 1] = mergeVary(merged[at + 1]!, value)
    }
  }
  return merged
}

/** Field lists of the content types that the helpers send, made once each. */
const typeFields = new Map<string, readonly string[]>()

const fieldsOfType = (type: string | undefined): readonly string[] => {
  if (!type) return []
  let fields = typeFields.get(type)
  if (!fields) {
    fields = ['content-type', type]
    typeFields.set(type, fields)
  }
  return fields
}

export const createResponse = (
  body: ResponseBody,
  type: string | undefined,
  init: number | ResponseOptions = 200,
  headers?: HeadersInput,
): Response => {
  const options = typeof init === 'number' ? undefined : init
  // As Fetch converts it: a text with digits is a number, and a fraction is cut.
  const status = (options ? (options.status ?? 200) : (init as number)) | 0
  if (isStream(body) && (body.locked || Readable.isDisturbed(body as never))) {
    throw new TypeError('Response body is locked, or was read already')
  }
  if (!(status >= 200 && status <= 599)) throw new RangeError(`status: ${status} is not between 200 and 599`)
  const empty = hasNoBody(status)
  const given = headers ?? options?.headers
  let fields = fieldsOfType(empty ? undefined : type)
  if (given) {
    const own = toFields(given)
    fields = hasField(own, 'content-type') ? own : [...fields, ...own]
  }
  const statusText = options?.statusText ?? ''
  if (statusText && !isFieldValue(statusText))
    throw new TypeError(`statusText: ${JSON.stringify(statusText)} is no reason phrase`)
  return new NodeResponse(empty ? null : body, status, statusText, fields)
}

export const addFields = (response: Response, list: FieldList): void => {
  if (NodeResponse.owns(response)) response.addList(list)
  else addTo(response.headers, list)
}

export const adopt = (response: Response): Response =>
  NodeResponse.owns(response) ? response.copy() : platform.adopt(passedOn(response))

export const withoutBody = (response: Response, kept?: Response): Response =>
  NodeResponse.owns(response) ? response.withoutBody(kept) : platform.withoutBody(response, kept)
