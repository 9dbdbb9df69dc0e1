import { toResponse } from '../errors.ts'
import { type AnyApp, fetchOf } from '../internal/adapter/fetch-of.ts'
import { addressOf } from '../internal/client/forwarded.ts'
import type { Execution } from '../internal/types/context.ts'

/** The context that Vercel passes, but not in Next.js. */
export interface VercelContext {
  waitUntil?(promise: Promise<unknown>): void
}

/** `ctx.env` of an application on Vercel. */
export interface VercelEnv {
  readonly context: VercelContext | undefined
}

/** Handles a request on Vercel, in a function for Node.js or the edge. */
export type VercelHandler = (request: Request, context?: VercelContext) => Promise<Response>

/** Names that Vercel looks for in a file of `api`, or Next.js in `route.ts`. */
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** One handler under each name that Vercel may look for. */
export type VercelHandlers = { readonly [Name in Method | 'fetch']: VercelHandler }

/**
 * An application as a Vercel Function: `export default` for all methods, or a named export for each.
 *
 * `ctx.env` is `{ context }`. The client's address is `X-Real-IP`, which Vercel's proxy overwrites: use this only on
 * Vercel. `ctx.waitUntil` keeps the function alive until the promise has settled. If a plain `fetch` throws, the
 * response is a 500.
 *
 * @throws {TypeError} when created, for anything that cannot handle requests.
 * @example
 * export const { GET, POST } = toVercel(app)
 */
export const toVercel = (app: AnyApp): VercelHandlers => {
  const fetch = fetchOf(app, 'toVercel')
  const handler: VercelHandler = async (request, context) => {
    const waitUntil = waitUntilOf(context)
    const peer = addressOf(request.headers.get('x-real-ip') ?? '')
    const env: VercelEnv = { context }
    try {
      return await fetch(request, env, { peer, ...(waitUntil && { waitUntil }) })
    } catch (error) {
      return toResponse(error)
    }
  }
  return {
    fetch: handler,
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  }
}

/** Where `@vercel/functions` finds the context, for functions that get none. */
const CONTEXT = /* @__PURE__ */ Symbol.for('@vercel/request-context')

const waitUntilOf = (context: VercelContext | undefined): Execution['waitUntil'] => {
  const shared = (globalThis as { [CONTEXT]?: { get?(): VercelContext | undefined } })[CONTEXT]
  const owner = context?.waitUntil ? context : shared?.get?.()
  return owner?.waitUntil && ((promise) => owner.waitUntil?.(promise))
}
