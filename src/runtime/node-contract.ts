import type { Fetch } from './contract.ts'

/**
 * What Node's servers, Express and Connect call. Node's own types stand below the runtime, so a build for the edge needs
 * none of them.
 */
// any: IncomingMessage and ServerResponse, of HTTP/1 or 2, with what each framework adds
export type NodeHandler = (incoming: any, outgoing: any, next?: (error?: unknown) => void) => void

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /** Let `next()` answer where the application would answer 404. Needs a `next`; without one the 404 is sent. @default false */
  readonly fallthrough?: boolean
  /** Whether the application sees the path before a framework cut its own prefix off. @default false */
  readonly originalUrl?: boolean
  /** Values for `ctx.env`. @default process.env */
  readonly env?: unknown
}

/** What `#runtime/node-handler` gives. */
export interface NodeHandlerRuntime {
  /** @throws {Error} on every runtime but Node. */
  toNodeHandler(fetch: Fetch, options: NodeHandlerOptions): NodeHandler
}

/** Middleware in the form of Connect and Express. It calls `next`, or answers. */
// any: IncomingMessage and ServerResponse, with what each package adds; what it returns is waited for if it is a promise
export type NodeMiddleware = (incoming: any, outgoing: any, next: (error?: any) => void) => any

/** What came of a middleware: its response, or nothing if it has called `next`. */
export interface NodeOutcome {
  readonly response: Response | undefined
  /** Node's message, or what stands for it. */
  readonly incoming: unknown
  /** Joins what was set on Node's response with the response of the application; there the first time only. */
  readonly finish: ((response: Response) => Promise<void>) | undefined
}

/** What `#runtime/node-middleware` gives. */
export interface NodeMiddlewareRuntime {
  /** False on every runtime but Node. */
  readonly supported: boolean
  /** Run a middleware. @param of whom the exchange belongs to: all middleware of one request share it */
  runNodeMiddleware(middleware: NodeMiddleware, of: object, request: Request): Promise<NodeOutcome>
}
