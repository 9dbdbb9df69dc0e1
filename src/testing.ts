import type { Client } from './client/types.ts'
import { createClient } from './client.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import type { Awaitable } from './internal/types/context.ts'
import type { RoutesOf } from './internal/types/route.ts'
import { asDescribed } from './testing/as-described.ts'
import { type CookieJar, createCookieJar } from './testing/cookie-jar.ts'

export { asDescribed } from './testing/as-described.ts'
export { type Clock, createClock } from './testing/clock.ts'
export { type CookieJar, type CookieJarOptions, createCookieJar, type JarCookie } from './testing/cookie-jar.ts'

/** Anything with a `fetch`, or the function itself. Its plan, if it has one, has what `describe` says of its routes. */
export type Testable =
  | { readonly fetch: (request: Request) => Awaitable<Response>; readonly plan?: object }
  | ((request: Request) => Awaitable<Response>)

/** Options of {@link testClient}. */
export interface TestClientOptions {
  /** Address of the application; its scheme and host decide which cookies are sent. @default 'http://localhost' */
  readonly baseUrl?: string
  /** Headers of every request; those of a call override them. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum number of redirects to follow within the application; 0 returns each redirect. @default 0 */
  readonly followRedirects?: number
  /** Keeps the cookies. Two clients with the same jar are one visitor. @default a new jar */
  readonly jar?: CookieJar
  /**
   * Called with every response, and throws if it is wrong; `false` for no check. By default, JSON that does not match
   * its schema in `describe`, and a status below 400 or from 500 that is not described, throw.
   */
  readonly check?: false | ((response: Response, request: Request) => Awaitable<void>)
}

/** A visitor of an application in a test, with the methods of `sluice/client`. */
export type TestClient<Application> = Client<RoutesOf<Application>> & {
  /** Send a request with the arguments of `new Request`; a path is enough. */
  request(input: string | URL | Request, init?: RequestOptions): Promise<Response>
  /** The cookies of this visitor. */
  readonly jar: CookieJar
}

type RequestOptions = ConstructorParameters<typeof Request>[1]

/**
 * A visitor of an application, for tests: without a socket, with cookies as in a browser.
 *
 * @throws {TypeError} when created, for a bad option.
 * @throws {Error} for more redirects than `followRedirects`, unless that is 0, and for a response that `check` refuses.
 * @example
 * const visitor = testClient(app, { followRedirects: 5 })
 * await visitor.post('/login', { form: { name: 'ann', password: 'secret' } })
 * const page = await visitor.get('/account')
 */
export const testClient = <Application extends Testable>(
  app: Application,
  options: TestClientOptions = {},
): TestClient<Application> => {
  checkNames('testClient', options, 'baseUrl:string headers followRedirects jar check')
  const { baseUrl = 'http://localhost', headers = {}, followRedirects = 0, jar = createCookieJar() } = options
  const { check = asDescribed(app) } = options
  checkOption(check === false || typeof check === 'function', 'testClient: check', 'a function or false', check)
  checkOption(URL.canParse(baseUrl), 'testClient: baseUrl', 'an absolute URL', baseUrl)
  checkWhole(followRedirects, 'testClient: followRedirects', 'redirects')
  const target: Testable = app
  const ask = typeof target === 'function' ? target : (request: Request) => target.fetch(request)

  const once = async (outgoing: Request): Promise<Response> => {
    const request = outgoing.clone()
    for (const [name, value] of Object.entries(headers)) {
      if (!request.headers.has(name)) request.headers.set(name, value)
    }
    const cookies = jar.header(request.url)
    if (cookies && !request.headers.has('cookie')) request.headers.set('cookie', cookies)
    const response = await ask(request)
    jar.take(response, request.url)
    if (check) await check(response, outgoing)
    return response
  }
  const send = async (first: Request): Promise<Response> => {
    let request = first
    for (let redirects = 0; ; redirects++) {
      // Each attempt has its own body: 307 and 308 send it again
      const retry = request.clone()
      const response = await once(request)
      const next = followRedirects ? redirectRequest(retry, response) : undefined
      if (!next) return response
      // The producer of a body that is never read would never end
      void response.body?.cancel().catch(() => {})
      if (redirects === followRedirects) throw new Error(`More than ${followRedirects} redirects: ${first.url}`)
      request = next
    }
  }
  const client = createClient<Application>({ baseUrl, fetch: send })
  return Object.assign(client, {
    jar,
    request: async (input: string | URL | Request, init?: RequestOptions) =>
      send(new Request(typeof input === 'string' ? new URL(input, baseUrl) : input, init)),
  })
}

/** The request that a redirect asks for (Fetch, "HTTP-redirect fetch"), unless it is for another host. */
const redirectRequest = (request: Request, { status, headers }: Response): Request | undefined => {
  const location = headers.get('location')
  if (!location || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const url = new URL(location, request.url)
  if (url.host !== new URL(request.url).host) return undefined
  const { method } = request
  const changesMethod = status === 303 ? !/^(GET|HEAD)$/.test(method) : status < 303 && method === 'POST'
  if (!changesMethod) return new Request(url, request)
  const fields = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language']) fields.delete(name)
  return new Request(url, { method: 'GET', headers: fields, signal: request.signal })
}
