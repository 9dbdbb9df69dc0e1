import type { Execution, FieldList } from '../context.ts'
import type { HeadersInput, ResponseOptions } from '../internal/fields.ts'

/** A body that the response helpers make. */
export type ResponseBody = string | Uint8Array | ReadableStream | null

/** What `#runtime/response` gives on every runtime. */
export interface ResponseRuntime {
  /**
   * Make a response; `type` is its content type unless the fields name one. Statuses without body lose body and type.
   * @throws {RangeError} for a status outside 200 to 599. @throws {TypeError} for a field that HTTP forbids.
   */
  createResponse(
    body: ResponseBody,
    type: string | undefined,
    init?: number | ResponseOptions,
    headers?: HeadersInput,
  ): Response
  /** Put fields on a response (see `Context.onResponse`). */
  addFields(response: Response, list: FieldList): void
  /** The same response if its headers can be edited, else a copy whose can. */
  mutable(response: Response): Response
  /** The response as it answers HEAD: same fields, no body (RFC 9110 §9.3.2). */
  withoutBody(response: Response): Response
}

/** What `#runtime/request` gives on every runtime. */
export interface RequestRuntime {
  /** The URL's path, percent-encoded, without query. */
  pathOf(request: Request): string
  /** The URL's query. */
  searchOf(request: Request): string
  /** A header's value without making a header map where that can be avoided. */
  headerOf(request: Request, name: string): string | null
  /** The request, with a body that can be read any number of times. */
  rereadable(request: Request): Request
  /** The body as text, kept like its bytes. */
  textOf(request: Request): Promise<string>
  /**
   * The whole body, counted while it is read, kept for later readers.
   * @throws {HttpError} 413 over the limit; the rest of the body is not read.
   */
  bytesOf(request: Request, limit?: number): Promise<Uint8Array<ArrayBuffer>>
  /** Address of the peer's socket, where the runtime tells. */
  peerOf(request: Request, env: unknown, execution: Execution | undefined): string | undefined
}

/** Answers one request; never rejects. */
export type Fetch = (request: Request, env?: unknown, execution?: Execution) => Response | Promise<Response>

/** What `listen` and `serve` take. */
export interface ListenOptions {
  /** Port; 0 lets the system choose. @default 3000 */
  readonly port?: number
  /** Address or name to bind. @default all addresses */
  readonly hostname?: string
  /** Path of a unix socket, in place of a port (Node, Bun, Deno). */
  readonly path?: string
  /** Key and certificate in PEM: serves HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string }
  /** Serve HTTP/2 beside HTTP/1.1 (Node; needs `tls`). @default false */
  readonly http2?: boolean
  /** Closes the server when it aborts. */
  readonly signal?: AbortSignal
  /** Values for `ctx.env`. @default {} */
  readonly env?: unknown
  /** Longest time for a graceful close, after which connections are cut, in milliseconds. @default 10000 */
  readonly graceMs?: number
  /** Longest time to receive the whole request, in milliseconds (Node). @default 300000 */
  readonly requestTimeoutMs?: number
  /** Longest time to receive the header section, in milliseconds (Node). @default 60000 */
  readonly headersTimeoutMs?: number
  /** How long an idle connection is kept, in milliseconds (Node). @default 5000 */
  readonly keepAliveTimeoutMs?: number
}

/** A listening server. */
export interface ServerHandle {
  /** The port that is bound, `undefined` on a unix socket. */
  readonly port: number | undefined
  readonly hostname: string
  readonly url: string
  /** Stop accepting, let requests in flight finish, then resolve. Repeated calls share one close. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What `#runtime/serve` gives. */
export interface ServeRuntime {
  serve(fetch: Fetch, options: ListenOptions): Promise<ServerHandle>
}
