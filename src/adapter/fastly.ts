import { toResponse } from '../errors.ts'
import { type AnyApp, fetchOf } from '../internal/adapter/fetch-of.ts'
import { checkNames } from '../internal/options.ts'

/** The event of a request on Fastly Compute: of its members, those that are read here. */
export interface FastlyEvent {
  readonly request: Request
  readonly client: { readonly address: string }
  respondWith(response: Response | Promise<Response>): void
  waitUntil(promise: Promise<unknown>): void
}

/** Options of {@link toFastly}. */
export interface FastlyOptions {
  /**
   * Makes `ctx.env`. Stores can be opened here: while a service is built they cannot, and neither at module scope.
   * @default the event alone, as `{ event }`
   */
  // any: the type of Fastly's package, whose members differ by version
  readonly env?: (event: any) => unknown
}

/**
 * An application as the listener of Fastly Compute.
 *
 * The client's address is `event.client.address`, and `ctx.waitUntil` is that of the event. A plain `fetch` that throws,
 * and an `env` that does, are answered with 500.
 *
 * @throws {TypeError} when created, for a bad option and for anything that answers no request.
 * @example
 * addEventListener('fetch', toFastly(app, { env: () => ({ secrets: new SecretStore('secrets') }) }))
 */
export const toFastly = (app: AnyApp, options: FastlyOptions = {}): ((event: FastlyEvent) => void) => {
  checkNames('toFastly', options, 'env:function')
  const fetch = fetchOf(app, 'toFastly')
  const { env = (event: FastlyEvent) => ({ event }) } = options
  const answer = async (event: FastlyEvent): Promise<Response> =>
    fetch(event.request, env(event), {
      peer: event.client?.address,
      waitUntil: (promise) => event.waitUntil(promise),
    })
  return function listener(event) {
    // Fastly wants to hear at once that there will be an answer
    event.respondWith(answer(event).catch(toResponse))
  }
}
