import type { Fetch } from './serve-contract.ts'

/** The function that Node servers, Express and Connect call. Builds for the edge do not need Node's types. */
// any: IncomingMessage and ServerResponse, of HTTP/1 or 2, with what each framework adds
export type NodeHandler = (incoming: any, outgoing: any, next?: (error?: unknown) => void) => void

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /** Call `next()` where the application would respond with 404. Without a `next`, the 404 is sent. @default false */
  readonly fallthrough?: boolean
  /** Whether the application sees the original path, before a framework has removed its own prefix. @default false */
  readonly originalUrl?: boolean
  /** Values for `ctx.env`. @default process.env */
  readonly env?: unknown
}

/** `#runtime/node-handler`: an application as a listener of Node's servers. Absent on other runtimes. */
export type ToNodeHandler = ((fetch: Fetch, options: NodeHandlerOptions) => NodeHandler) | undefined

/** Connect and Express middleware. It calls `next`, or responds. */
// any: IncomingMessage and ServerResponse, with what each package adds. A promise that it returns is waited for
export type NodeMiddleware = (incoming: any, outgoing: any, next: (error?: unknown) => void) => unknown

/** The outcome of a middleware: its response, or `undefined` if it has called `next`. */
export interface NodeOutcome {
  readonly response: Response | undefined
  /** Node's message, or a substitute. */
  readonly incoming: unknown
  /** Merges what was set on Node's response into the response of the application; present only the first time. */
  readonly finish: ((response: Response) => Promise<void>) | undefined
}

/**
 * `#runtime/node-middleware`: runs middleware of Node in a chain of ours. Absent on other runtimes.
 *
 * @param of the owner of the exchange: all middleware of one request share it
 */
export type RunNodeMiddleware =
  | ((middleware: NodeMiddleware, of: object, request: Request) => Promise<NodeOutcome>)
  | undefined
