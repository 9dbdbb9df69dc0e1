import { toResponse } from '../errors.ts'
import { type AnyApp, fetchOf } from '../internal/adapter/fetch-of.ts'
import { canParse } from '../internal/client/can-parse.ts'
import { checkNames } from '../internal/options/check.ts'

/** The event of a request on Fastly Compute, with only the members that are used here. */
export interface FastlyEvent {
  readonly request: Request
  readonly client: { readonly address: string }
  respondWith(response: Response | Promise<Response>): void
  waitUntil(promise: Promise<unknown>): void
}

/** Options of {@link toFastly}. */
export interface FastlyOptions {
  /**
   * Returns `ctx.env`. Stores can be opened here, but not while a service is built, nor at module scope. @default only
   * the event, as `{ event }`
   */
  // any: the type in Fastly's package differs by version
  readonly env?: (event: any) => unknown
}

/**
 * An application as the listener of Fastly Compute.
 *
 * The client's address is `event.client.address`, and `ctx.waitUntil` is that of the event. If a plain `fetch` or `env`
 * throws, the response is a 500. Adds `URL.canParse`, which Fastly's runtime lacks.
 *
 * @throws {TypeError} when created, for a bad option and for anything that cannot handle requests.
 * @example
 * addEventListener('fetch', toFastly(app, { env: () => ({ secrets: new SecretStore('secrets') }) }))
 */
export const toFastly = (app: AnyApp, options: FastlyOptions = {}): ((event: FastlyEvent) => void) => {
  checkNames('toFastly', options, 'env:function')
  // `sluice/z` and other packages call it
  URL.canParse ??= canParse
  const fetch = fetchOf(app, 'toFastly')
  const { env = (event: FastlyEvent) => ({ event }) } = options
  const respond = async (event: FastlyEvent): Promise<Response> =>
    fetch(event.request, env(event), { peer: event.client?.address, waitUntil: (work) => event.waitUntil(work) })
  return function listener(event) {
    // Fastly must be told synchronously that there will be a response
    event.respondWith(respond(event).catch(toResponse))
  }
}
