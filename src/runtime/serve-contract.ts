/// <reference lib="esnext.disposable" preserve="true" />
import type { Execution } from './contract.ts'

/** Handles one request; never rejects. */
export type Fetch = (request: Request, env?: unknown, execution?: Execution) => Response | Promise<Response>

/** Options of `listen` and `serve`. */
export interface ListenOptions {
  /** Port; 0 lets the system choose. @default 3000 */
  readonly port?: number
  /** Address or name to bind. @default all addresses */
  readonly hostname?: string
  /** Path of a unix socket, instead of a port (Node, Bun, Deno). */
  readonly path?: string
  /** Key and certificate in PEM: serves HTTPS. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string }
  /** Serve HTTP/2 too (Node; needs `tls`). Deno does so with every `tls`, and Bun refuses it. @default false */
  readonly http2?: boolean
  /** Closes the server when it aborts. */
  readonly signal?: AbortSignal
  /** Values for `ctx.env`. @default process.env, Bun.env or those of Deno.env */
  readonly env?: unknown
  /** Longest time for a graceful shutdown, after which connections are cut, in milliseconds. @default 10000 */
  readonly graceMs?: number
  /** Longest time to receive the whole request, in milliseconds (Node; ignored elsewhere). @default 300000 */
  readonly requestTimeoutMs?: number
  /** Longest time to receive the header section, in milliseconds (Node; ignored elsewhere). @default 60000 */
  readonly headersTimeoutMs?: number
  /** How long an idle connection is kept, in milliseconds (Node; ignored elsewhere). @default 5000 */
  readonly keepAliveTimeoutMs?: number
  /** Longest time a client may read nothing, in milliseconds; 0: no limit (Node; ignored elsewhere). @default 60000 */
  readonly sendTimeoutMs?: number
  /**
   * Number of worker processes, each of which runs the program; `'auto'` is one per core (Node). The calling process
   * serves no requests: it starts the workers, replaces those that exit, and handles SIGHUP, SIGTERM and SIGINT.
   */
  readonly workers?: number | 'auto'
}

/** The part of an application that a server must start and close. */
export interface ServableApp {
  /** Called before the port is bound. */
  ready(): Promise<void>
  /** Called when the process must exit, instead of the server's `close`. */
  close(): Promise<void>
}

/** A listening server. */
export interface ServerHandle {
  /** The bound port, `undefined` on a Unix socket. */
  readonly port: number | undefined
  readonly hostname: string
  readonly url: string
  /**
   * Stop accepting connections, end event streams at once, let requests in flight and the promises of `waitUntil`
   * finish within `graceMs`, then resolve. Repeated calls share one close.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The module `serve` of a runtime. */
export interface ServeRuntime {
  serve(fetch: Fetch, options: ListenOptions, app?: ServableApp): Promise<ServerHandle>
}

/** An application that servers belong to. */
export interface ServedApp extends ServableApp {
  readonly fetch: Fetch
}

/** The servers of one application. */
export interface Servers {
  /** Start one. Its `close`, and the signal of its options, close the application. */
  listen(app: ServedApp, port?: number | ListenOptions, callback?: (port: number) => void): Promise<ServerHandle>
  /** Close all of them. One that starts to listen later closes the application again. */
  close(): Promise<void>
}
