import type { FieldList } from '../../context.ts'
import { addTo, type HeadersInput, hasNoBody, type ResponseOptions } from '../../internal/fields.ts'
import { isFieldValue } from '../../internal/headers.ts'
import { parseJson } from '../../internal/parse-json.ts'
import { mergeVary } from '../../internal/vary.ts'
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
  }

  readonly status: number
  readonly statusText: string
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
    this.status = status
    this.statusText = statusText
    this.#fields = fields
  }

  /** Ours, told from the platform's. */
  static owns(response: Response): response is NodeResponse {
    return #body in response
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
    return this.#native ? this.#native.body : this.#body
  }

  /** Length that a body had before it was taken away for HEAD. */
  get knownLength(): number | undefined {
    return this.#length
  }

  withoutBody(): this {
    const body = this.#native ? this.#native.body : this.#body
    if (typeof body === 'string') this.#length = Buffer.byteLength(body)
    else if (body instanceof Uint8Array) this.#length = body.byteLength
    else body?.cancel().catch(() => {})
    this.#body = null
    this.#native = undefined
    return this
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
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
    return this.#platform().body
  }

  get bodyUsed(): boolean {
    return this.#native ? this.#native.bodyUsed : this.#used
  }

  async text(): Promise<string> {
    if (this.#native || typeof this.#body !== 'string' || this.#used) return this.#platform().text()
    this.#used = true
    return this.#body.startsWith('\ufeff') ? this.#body.slice(1) : this.#body
  }

  async json(): Promise<any> {
    return parseJson(await this.text())
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#platform().arrayBuffer()
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer())
  }

  blob(): Promise<Blob> {
    return this.#platform().blob()
  }

  formData(): Promise<FormData> {
    return this.#platform().formData()
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.')
    const native = this.#native ?? (this.#body instanceof ReadableStream ? this.#platform() : undefined)
    const body = native ? native.clone().body : this.#body
    return new NodeResponse(body, this.status, this.statusText, this.fields().slice())
  }

  get [Symbol.toStringTag](): string {
    return 'Response'
  }

  /** The platform's class around the same body, for what only it can do. */
  #platform(): Response {
    if (!this.#native) {
      const type = this.headers.get('content-type')
      this.#native = new Response(this.#body as BodyInit | null, type ? { headers: { 'content-type': type } } : {})
      if (this.#used) this.#native.text().catch(() => {})
    }
    return this.#native
  }
}

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
  const status = options ? (options.status ?? 200) : (init as number)
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

export const mutable = (response: Response): Response =>
  NodeResponse.owns(response) ? response : platform.mutable(passedOn(response))

export const withoutBody = (response: Response): Response =>
  NodeResponse.owns(response) ? response.withoutBody() : platform.withoutBody(response)
