import type { Execution } from '../../runtime/contract.ts'
import { checkOption } from '../options/check.ts'

/** Anything that handles a `Request`. */
// any: the further arguments of a platform
export type AnyFetch = (request: Request, env?: any, execution?: Execution) => Response | Promise<Response>

/** An application, or any function from a request to a response. */
export type AnyApp = AnyFetch | { readonly fetch: AnyFetch }

/** @param feature the function that was given the application @throws {TypeError} if it cannot handle requests. */
export const fetchOf = (app: AnyApp, feature: string): AnyFetch => {
  const fetch = typeof app === 'function' ? app : app?.fetch
  checkOption(typeof fetch === 'function', `${feature}: app`, 'an application or a function (request) => response', app)
  return (request, env, execution) => fetch.call(app, request, env, execution)
}
