import type { IncomingMessage, ServerResponse } from 'node:http'
import { showAs, shownFields } from '../../internal/object/show-as.ts'
import { signalOf } from './closed.ts'
import { NodeHeaders, receivedFields } from './headers.ts'
import { NodeBody } from './node-body.ts'
import { peerOf as peerOfMessage } from './peer.ts'
import { platformRequest } from './platform-request.ts'
import { receivedField } from './received-field.ts'
import { defineDefaults } from './request-defaults.ts'

/**
 * A request that reads from Node's own message on demand: it creates no header map, URL, signal or stream before it is
 * used. The body is read once and kept, so it can be read any number of times. The platform's own `Request`, for
 * `fetch` and `new Request`, comes from `clone()`.
 */
export class NodeRequest extends NodeBody implements Request {
  static {
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
  readonly #outgoing: ServerResponse
  readonly #origin: string
  readonly #rest: string
  #headers: NodeHeaders | undefined = undefined
  #signal: AbortSignal | undefined = undefined

  /** @param path of the URL, as router and middleware see it @param rest of the URL: path and query */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, path: string, origin: string, rest: string) {
    super(incoming)
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
    return #path in request
  }

  /** Node's own message behind our request. */
  static incomingOf(request: Request): IncomingMessage | undefined {
    return NodeRequest.owns(request) ? request.incoming : undefined
  }

  get search(): string {
    return this.#rest.slice(this.#path.length)
  }

  get peer(): string | undefined {
    return peerOfMessage(this.incoming)
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

  /** A platform `Request` with the same body. */
  clone(): Request {
    return platformRequest(this, this.copyBody())
  }
}
