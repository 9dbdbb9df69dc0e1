import { toResponse } from '../errors.ts'
import { type AnyApp, fetchOf } from '../internal/adapter/fetch-of.ts'

/** The context that Netlify passes, with only the members that are used here. */
export interface NetlifyContext {
  /** Address of the client. */
  readonly ip?: string
  waitUntil?(promise: Promise<unknown>): void
}

/** `ctx.env` of an application on Netlify. */
export interface NetlifyEnv<Context extends NetlifyContext = NetlifyContext> {
  readonly context: Context
}

/** Handles a request on Netlify. */
export type NetlifyHandler = (request: Request, context: NetlifyContext) => Promise<Response>

/**
 * An application as a Netlify Function or Edge Function, whose file also exports the paths: `config = { path: '/*' }`.
 *
 * `ctx.env` is `{ context }`, with `geo`, `deploy`, `site` and what else Netlify provides. The client's address is
 * `context.ip`. `ctx.waitUntil` is that of the context. If a plain `fetch` throws, the response is a 500.
 *
 * @throws {TypeError} when created, for anything that cannot handle requests.
 * @example
 * export default toNetlify(app)
 */
export const toNetlify = (app: AnyApp): NetlifyHandler => {
  const fetch = fetchOf(app, 'toNetlify')
  return async function handler(request, context) {
    const env: NetlifyEnv = { context }
    try {
      return await fetch(request, env, { peer: context?.ip, waitUntil: (promise) => context?.waitUntil?.(promise) })
    } catch (error) {
      return toResponse(error)
    }
  }
}
