import type { IncomingMessage, ServerResponse } from 'node:http'
import { endToEnd } from '../../internal/header/hop-by-hop.ts'
import { showAs, shownFields } from '../../internal/object/show-as.ts'
import { signalOf } from './closed.ts'
import { NodeHeaders } from './headers.ts'
import { NodeBody } from './node-body.ts'
import { peerOf } from './peer.ts'
import { defineDefaults } from './platform-class.ts'
import { receivedField, receivedFields } from './received-fields.ts'

/** Members that are the same for every request that comes over a socket (Fetch §5.4). */
const DEFAULTS = {
  cache: 'default',
  credentials: 'same-origin',
  destination: '',
  duplex: 'half',
  integrity: '',
  keepalive: false,
  mode: 'cors',
  redirect: 'follow',
  referrer: 'about:client',
  referrerPolicy: '',
  [Symbol.toStringTag]: 'Request',
}

/** A request that reads from Node's own message: headers, URL, signal and stream are created when they are used. */
export class NodeRequest extends NodeBody implements Request {
  static {
    defineDefaults(this.prototype, DEFAULTS)
    showAs(this, 'Request', ({ method, url, headers }) => ({ method, url, headers: shownFields(headers) }))
  }

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
  readonly #outgoing: ServerResponse
  readonly #origin: string
  readonly #rest: string
  #headers: NodeHeaders | undefined = undefined
  #signal: AbortSignal | undefined = undefined

  /** @param path of the URL, as router and middleware see it @param rest path and query */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, path: string, origin: string, rest: string) {
    super(incoming)
    this.#outgoing = outgoing
    this.#path = path
    this.#origin = origin
    this.#rest = rest
  }

  get path(): string {
    return this.#path
  }

  static owns(request: Request): request is NodeRequest {
    return #path in request
  }

  static incomingOf(request: Request): IncomingMessage | undefined {
    return NodeRequest.owns(request) ? request.incoming : undefined
  }

  get search(): string {
    return this.#rest.slice(this.#path.length)
  }

  get peer(): string | undefined {
    return peerOf(this.incoming)
  }

  get url(): string {
    return this.#origin + this.#rest
  }

  get headers(): NodeHeaders {
    this.#headers ??= new NodeHeaders(receivedFields(this.incoming.rawHeaders))
    return this.#headers
  }

  header(name: string): string | null {
    return this.#headers ? this.#headers.get(name) : receivedField(this.incoming.rawHeaders, name)
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing)
    return this.#signal
  }

  /** A platform `Request` with the same body, without hop-by-hop headers and `Expect`, which `fetch` refuses. */
  clone(): Request {
    const body = this.copyBody()
    const { url, method, signal } = this
    const headers = endToEnd(this.headers).filter(([name]) => name !== 'expect')
    const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body: body ?? null, duplex: 'half' }
    return new Request(url, init)
  }
}
