/// <reference lib="esnext.disposable" preserve="true" />
import type { FieldList, HeadersInput, ResponseOptions } from '../internal/header/fields.ts'

/** What a platform such as workerd passes to `fetch` as the third argument. */
export interface Execution {
  /** Keep the request's resources until the promise has settled. */
  waitUntil?(promise: Promise<unknown>): void
  /** Let the origin answer when the worker throws. */
  passThroughOnException?(): void
  /** Address of the client, where the platform says it and there is no socket to ask: the adapters set it. */
  readonly peer?: string | undefined
}

/** A body that the response helpers make. */
export type ResponseBody = string | Uint8Array | ReadableStream | null

/** What a response holds. */
export interface Content {
  /** The text or bytes that a helper was given; nothing for a stream and for a response of the platform's. */
  readonly content: string | Uint8Array | null | undefined
  /** The response to go on with. */
  readonly response: Response
}

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
  /**
   * Put fields on a response (see `onResponse`).
   *
   * @param own whether the response may be edited; else its copy is (see {@link ResponseRuntime.adopt})
   * @param more edits that are still to be run, the next one last: lists at their end may be taken off and put on as well
   * @returns the response or its copy, which may be edited
   */
  addFields(response: Response, list: FieldList, own?: boolean, more?: unknown[]): Response
  /** Take a field off a response that may be edited. */
  removeField(response: Response, name: string): void
  /**
   * A copy that one request may edit, since a handler may return the same object to everybody. Text and bytes that the
   * helpers were given are shared; a stream goes over to the copy.
   *
   * @throws {TypeError} if the stream was read, or went over to a copy, before.
   */
  adopt(response: Response): Response
  /**
   * The response as it answers HEAD: same fields, no body (RFC 9110 §9.3.2). Its stream is cancelled, unless `kept` has it.
   */
  withoutBody(response: Response, kept?: Response): Response
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
  /**
   * The body as text, UTF-8, kept like its bytes.
   * @throws {Error} with `status` 413 as {@link RequestRuntime.bytesOf} does, and for more bytes than a string can hold.
   */
  textOf(request: Request, limit?: number): Promise<string>
  /**
   * The whole body, counted while it is read, kept for later readers.
   *
   * Without `limit` the limit of the request bounds reading, 1,048,576 bytes unless {@link RequestRuntime.limitBody} set
   * another; bytes that are kept already, read under a limit of their own, are given whatever their number. A `limit`
   * holds for kept bytes as well.
   * @throws {Error} with `status` 413 over the limit; the rest of the body is not read.
   */
  bytesOf(request: Request, limit?: number): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Set how many bytes are read where a reader has no limit of its own: `request.json()`, `ctx.text()`, a form.
   * @param limit @default 1048576
   */
  limitBody(request: Request, limit?: number): void
  /** Address of the peer's socket; `''` on a unix socket, `undefined` where nobody knows. */
  peerOf(request: Request, env: unknown, execution: Execution | undefined): string | undefined
}

/** What `#runtime/load` gives. */
export interface LoadRuntime {
  /** Bytes of the heap that are in use; `undefined` where nobody tells. */
  readonly heapUsed: (() => number) | undefined
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
  /** Values for `ctx.env`. @default process.env, Bun.env or those of Deno.env */
  readonly env?: unknown
  /** Longest time for a graceful close, after which connections are cut, in milliseconds. @default 10000 */
  readonly graceMs?: number
  /** Longest time to receive the whole request, in milliseconds (Node). @default 300000 */
  readonly requestTimeoutMs?: number
  /** Longest time to receive the header section, in milliseconds (Node). @default 60000 */
  readonly headersTimeoutMs?: number
  /** How long an idle connection is kept, in milliseconds (Node). @default 5000 */
  readonly keepAliveTimeoutMs?: number
  /** Longest time that a client may take nothing of its answer, in milliseconds; 0 for ever (Node). @default 60000 */
  readonly sendTimeoutMs?: number
  /**
   * Answer with so many processes, each of which runs the program; `'auto'` is one for each core (Node). The process that
   * called answers nothing: it starts the others, replaces those that end, and answers SIGHUP, SIGTERM and SIGINT.
   */
  readonly workers?: number | 'auto'
}

/** What answers on a server, as far as it must be made ready and be closed: an application. */
export interface Served {
  /** Called before the port is bound. */
  ready(): Promise<void>
  /** What it answers: a server with a router of its own can look out for these paths. */
  routes?(): readonly { readonly path: string }[]
  /** Called when a process has to end, in place of the server's `close`. */
  close(): Promise<void>
}

/** A listening server. */
export interface ServerHandle {
  /** The port that is bound, `undefined` on a unix socket. */
  readonly port: number | undefined
  readonly hostname: string
  readonly url: string
  /**
   * Stop accepting, end streams of events at once, let requests in flight and the promises of `waitUntil` finish within
   * `graceMs`, then resolve. Repeated calls share one close.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What `#runtime/serve` gives. */
export interface ServeRuntime {
  serve(fetch: Fetch, options: ListenOptions, app?: Served): Promise<ServerHandle>
}

/** A file or directory that was found below a root. */
export interface FoundFile {
  readonly directory: boolean
  /** Length in bytes. */
  readonly size: number
  /** When it was changed, in milliseconds since 1970, with a fraction where the system has one. */
  readonly modified: number
  /**
   * So many bytes from a place: small ones at once, others as a stream, which opens the file when it is first read and
   * fails if the file has changed since. `undefined` if that is seen at once.
   */
  read(start: number, length: number): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>
}

/** Finds what the decoded segments of a path lead to; `undefined` if there is nothing, or it lies outside the root. */
export type FindFile = (segments: readonly string[]) => Promise<FoundFile | undefined>

/** What `#runtime/files` gives on every runtime. */
export interface FilesRuntime {
  /** Serve the files below a folder. */
  openRoot(root: string): FindFile
  /** Ask the platform's own server of files, where it has one in place of a file system. */
  assetsOf(env: unknown, binding: string): ((request: Request) => Promise<Response>) | undefined
}

/** `#runtime/own-command`: the command of this package, for plug-ins of bundlers. */
export interface OwnCommandRuntime {
  /** What `sluice compile` writes for a module, and its source map as JSON. `command` stands for the command of this package. */
  readonly compileModule: (
    file: string,
    command: readonly string[] | undefined,
  ) => Promise<{ readonly code: string; readonly map: string }>
}
