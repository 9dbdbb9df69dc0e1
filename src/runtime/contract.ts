import type { FieldList, HeadersInput, ResponseOptions } from '../internal/header/fields.ts'
import type { Awaitable } from '../internal/promise/awaitable.ts'

/** The third argument that a platform such as workerd passes to `fetch`. */
export interface Execution {
  /** Keep the resources of the request alive until the promise has settled. */
  waitUntil?(promise: Promise<unknown>): void
  /** Let the origin respond if the worker throws. */
  passThroughOnException?(): void
  /** Address of the client, if the platform provides it and there is no socket: set by the adapters. */
  readonly peer?: string | undefined
}

/** A request that replaces the one of a server, as for a decompressed body. */
export interface Replacing {
  /** The address of the original, which Node and Bun know by request. */
  readonly '~peer'?: string | undefined
}

/** The `envFile` of `#runtime/core`, where there are files; a missing file returns `undefined`. */
export interface EnvFile {
  read(path: string): string | undefined
  write(name: string, value: string): void
}

/** A body that the response helpers create. */
export type ResponseBody = string | Uint8Array | ReadableStream | null

/** The content of a response. */
export interface Content {
  /** The text or bytes that were passed to a helper; `undefined` for a stream and for a platform response. */
  readonly content: string | Uint8Array | null | undefined
  /** The response to use from now on. */
  readonly response: Response
}

/**
 * Whether a server has enforced the `Content-Length` of a request. To read the body
 * at once then takes a third of the time of a stream, which is the only way to stop at a limit otherwise.
 */
export type HasLength = (request: Request) => boolean

/** Turns the error of a runtime for a client that disconnected into a 400, as on Node. */
export type ThrowBrokenOff = ((error: unknown) => never) | undefined

/** The edits of a response that have not run yet. */
export interface PendingEdits {
  edits: { readonly edit: unknown; readonly older: PendingEdits['edits'] } | undefined
}

/** Functions over responses, in `#runtime/core`. */
export interface ResponseRuntime {
  /**
   * Create a response; `type` is its content type unless the headers have one. For a status without a body, body and
   * type are dropped.
   * @throws {RangeError} for a status outside 200 to 599. @throws {TypeError} for a header that HTTP forbids.
   */
  createResponse(
    body: ResponseBody,
    type: string | undefined,
    init?: number | ResponseOptions,
    headers?: HeadersInput,
  ): Response
  /**
   * Add headers to a response (see `onResponse`), and return it, or one that takes its place.
   *
   * @param more holds the edits that have not run yet, the next one first; lists at the front may be taken off and
   * applied as well
   */
  addFields(response: Response, list: FieldList, more?: PendingEdits): Response
  /** Remove a header from a response that may be edited. */
  removeField(response: Response, name: string): void
  /**
   * A copy that one request may edit, because a handler may return the same object for every request. Text and bytes
   * are shared; a stream moves to the copy.
   *
   * @throws {TypeError} if the stream was already read, or moved to a copy.
   */
  adopt(response: Response): Response
  /** The response to HEAD: same headers, no body (RFC 9110 §9.3.2). Its stream is cancelled. */
  withoutBody(response: Response): Response
  /** The stream that would be sent; `null` for a string, for bytes, and without a body. */
  streamOf(response: Response): ReadableStream | null
}

/** Functions over requests, in `#runtime/core`. */
export interface RequestRuntime {
  /** The URL's path, percent-encoded, without query. */
  pathOf(request: Request): string
  /** The URL's query. */
  searchOf(request: Request): string
  /** The value of a header, without creating a header map if that can be avoided. */
  headerOf(request: Request, name: string): string | null
  /** The request, with a body that can be read any number of times. */
  rereadable(request: Request): Request
  /**
   * The body as text, UTF-8, or what `convert` makes of it: at once if the body has arrived. Its bytes are kept.
   * @throws {Error} with `status` 413 as {@link RequestRuntime.bytesOf} does, and for more bytes than a string can
   * hold.
   */
  textOf<T = string>(request: Request, convert?: (text: string) => Awaitable<T>): Awaitable<T>
  /**
   * The whole body, counted while it is read, and kept for later readers.
   *
   * Without `limit`, the limit of the request applies, 1,048,576 bytes unless {@link RequestRuntime.limitBody} has set
   * another; bytes that were already read under another limit are returned regardless of their number. A `limit` also
   * applies to kept bytes.
   * @throws {Error} with `status` 413 over the limit; the rest of the body is not read.
   */
  bytesOf(request: Request, limit?: number): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Set how many bytes are read by readers without their own limit: `request.json()`, `ctx.text()`, a form.
   * @param limit @default 1048576
   */
  limitBody(request: Request, limit?: number): void
  /** Address of the peer's socket; `''` on a Unix socket, `undefined` if unknown. */
  peerOf(request: Request, env: unknown, execution: Execution | undefined): string | undefined
}

/** `#runtime/outgoing`: how the platform sends its own requests. */
export interface OutgoingRuntime {
  /** `fetch` that leaves the bodies of responses as they are, where the platform can. */
  send(request: Request): Promise<Response>
  /**
   * Whether a body is decoded although the response still has this `Content-Encoding`.
   *
   * @param custom whether it came from a `fetch` of the user instead of {@link OutgoingRuntime.send}
   */
  decodes(coding: string, custom: boolean): boolean
  /** Whether `fetch` makes one slash of several at the start of a path. */
  readonly joinsSlashes: boolean
}

/** The load of the process, in `#runtime/core`. */
export interface LoadRuntime {
  /** Used heap in bytes; `undefined` if the runtime does not report it. */
  readonly heapUsed: (() => number) | undefined
  /**
   * True if each request has its own timers and connections: they end with it, and nothing that it has begun goes
   * on. It cannot close the socket of another request either.
   */
  readonly hasOwnTimers: boolean
}

/** A file or directory below a root. */
export interface FoundFile {
  readonly directory: boolean
  /** Length in bytes. */
  readonly size: number
  /** Modification time, in milliseconds since 1970, with a fraction if the system has one. */
  readonly modified: number
  /** The modification time as in `Last-Modified`. */
  readonly date: string
  /** Distinguishes this content from earlier ones: size and modification time, in characters of an entity tag. */
  readonly version: string
  /**
   * A number of bytes from an offset: small parts at once, others as a stream, which opens the file when it is first
   * read, and fails if the file has changed since. `undefined` if the change is noticed at once.
   */
  read(start: number, length: number): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>
}

/** Finds the file for the decoded segments of a path; `undefined` if there is none, or it is outside the root. */
export type FindFile = (segments: readonly string[]) => Promise<FoundFile | undefined>

/** `#runtime/files`: files of a folder, and assets of a platform. */
export interface FilesRuntime {
  /** Serve the files below a folder. */
  openRoot(root: string): FindFile
  /** Request a file from the platform's own file server, if it has one instead of a file system. */
  assetsOf(env: unknown, binding: string): ((request: Request) => Promise<Response>) | undefined
}

/** `#runtime/own-command`: the command of this package, for plug-ins of bundlers. */
export interface OwnCommandRuntime {
  /**
   * The output of `sluice compile` for a module, and its source map as JSON. `command` replaces the command of this
   * package.
   */
  readonly compileModule: (
    file: string,
    command: readonly string[] | undefined,
  ) => Promise<{ readonly code: string; readonly map: string }>
}
