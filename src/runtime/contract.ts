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

/** Whether a server has enforced the `Content-Length`. Then a body can be read at once, in a third of the time. */
export type HasLength = (request: Request) => boolean

/** Turns the error of a runtime for a client that disconnected into a 400, as on Node. */
export type ThrowBrokenOff = ((error: unknown) => never) | undefined

/** The edits of a response that have not run yet. */
export interface PendingEdits {
  edits: { readonly edit: unknown; readonly older: PendingEdits['edits'] } | undefined
}

/**
 * Create a response; `type` is its content type unless the headers have one. For a status without a body, body and
 * type are dropped.
 *
 * @throws {RangeError} for a status outside 200 to 599. @throws {TypeError} for a header that HTTP forbids.
 */
export type CreateResponse = (
  body: ResponseBody,
  type: string | undefined,
  init?: number | ResponseOptions,
  headers?: HeadersInput,
) => Response

/**
 * Add headers to a response (see `onResponse`), and return it, or one that takes its place.
 *
 * @param more the edits that have not run yet, the next one first. Lists at the front may be taken off and added too
 */
export type AddFields = (response: Response, list: FieldList, more?: PendingEdits) => Response

/** `#runtime/outgoing`: how the platform sends its own requests. */
export interface OutgoingRuntime {
  /** `fetch` that leaves the bodies of responses as they are, where the platform can. The signal is the request's. */
  send(request: Request, init: { readonly signal: AbortSignal }): Promise<Response>
  /**
   * Whether a body is decoded although the response still has this `Content-Encoding`.
   *
   * @param custom whether it came from a `fetch` of the user instead of {@link OutgoingRuntime.send}
   */
  decodes(coding: string, custom: boolean): boolean
  /** Whether `fetch` makes one slash of several at the start of a path. */
  readonly joinsSlashes: boolean
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
   * Small parts at once, others as a stream, which opens the file when it is first read, and fails if the file has
   * changed since. `undefined` if the change is noticed at once.
   */
  read(start: number, length: number): Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>
}

/** Finds the file for the decoded segments of a path; `undefined` if there is none, or it is outside the root. */
export type FindFile = (segments: readonly string[]) => Promise<FoundFile | undefined>

/** `#runtime/files`: files of a folder, and assets of a platform. */
export interface FilesRuntime {
  openRoot(root: string): FindFile
  /** Request a file from the platform's own file server, if it has one instead of a file system. */
  assetsOf(env: unknown, binding: string): ((request: Request) => Promise<Response>) | undefined
}

/** `#runtime/own-command`: the output of `sluice compile`, or another `command`, and its source map as JSON. */
export type CompileModule = (
  file: string,
  command: readonly string[] | undefined,
) => Promise<{ readonly code: string; readonly map: string }>

/** Texts stand for their UTF-8. */
type HashInput = string | Uint8Array<ArrayBuffer>

/** HMAC-SHA-256 (RFC 2104), as 43 characters of base64url unless `encode` is given. */
export type Hmac = (secret: HashInput, data: HashInput, encode?: (bytes: Uint8Array) => string) => Awaitable<string>

/** SHA-256 (FIPS 180-4). */
export type Digest = (data: Uint8Array<ArrayBuffer>) => Awaitable<Uint8Array<ArrayBuffer>>

/** The numbers of scrypt (RFC 7914 §2): 128 · 2^logN · r bytes of memory, and that work p times. */
export interface ScryptCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** A key of `length` bytes. Rejects where the platform has no scrypt. */
export type Scrypt = (password: string, salt: Uint8Array, length: number, cost: ScryptCost) => Promise<Uint8Array>
