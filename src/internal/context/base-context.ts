import { headerOf, searchOf } from '#runtime/request'
import type { Execution } from '../../runtime/contract.ts'
import type { Awaitable } from '../awaitable.ts'
import { Bag } from '../bag.ts'
import type { Match, Router } from '../route/match.ts'
import type { Editable } from './finish.ts'
import { makeNewest } from './newest.ts'

/** What all contexts of an application share. */
export interface Site {
  /** Prefix of all routes, without a trailing slash. */
  readonly basePath: string
  /** The application's container, if `createApp` made it. */
  readonly container?: unknown
  /** Maximum size of a body that a reader accepts, in bytes. */
  readonly bodyLimit?: number | undefined
  readonly onError?: OnError<never> | undefined
  readonly notFound?: Lost | undefined
  /** Responds if a path has no route for the method, if the application has this option. */
  readonly methodNotAllowed?: Lost | undefined
  readonly router?: Router<unknown>
  /** Handles another request from the start, as `cache` does to refresh a response. */
  fetch?(request: Request, env?: unknown, execution?: Execution): Awaitable<Response>
}

/** Responds if no route matches, or returns nothing. */
type Lost = (ctx: never, router: never) => Awaitable<Response | undefined> | undefined

/** Turns an error of a handler or middleware into a response. */
export interface OnError<Ctx> {
  (error: unknown, ctx: Ctx): Awaitable<Response>
  /**
   * True if it also formats refusals: unmatched paths and methods, unless `notFound` responds, and the refusals of
   * middleware, such as 401 and 429. `problemJson` sets it. @default false
   */
  readonly everyRefusal?: boolean
  /** When it sends Problem Details; `openapi` reads it. `problemJson` sets it. @default never */
  readonly problemDetails?: 'always' | 'negotiated'
}

/** A class of contexts. */
export type ContextClass = new (
  request: Request,
  method: string,
  path: string,
  matched: Match<unknown>,
  site: Site,
  env: unknown,
  execution: Execution | undefined,
) => BaseContext

const NO_ENV: object = /* @__PURE__ */ Object.freeze({})

/** The context of the pipe door: expensive members are created on first use. Everything else is a function over it. */
export class BaseContext implements Editable {
  /** The original request; {@link request} may be another view of it. */
  declare raw: Request
  declare readonly method: string
  declare path: string
  /** The route that the router found for the path. */
  declare matched: Match<unknown>
  declare params: Record<string, string>
  declare readonly site: Site
  declare readonly execution: Execution | undefined
  /** The newest response, as a copy that only this request has and may edit. */
  adopted: Response | undefined
  /** How many parts of the chain have been entered. */
  depth = 0
  /** The depth of the outermost middleware that has responded while the rest was still running. */
  raced = 1e9
  edits: Editable['edits']
  finish: Editable['finish']
  /** Private, so that no log of a context prints the environment. */
  readonly #env: unknown
  #state: Record<string, unknown> | undefined
  #url: URL | undefined
  #query: URLSearchParams | undefined

  constructor(
    request: Request,
    method: string,
    path: string,
    matched: Match<unknown>,
    site: Site,
    env: unknown,
    execution: Execution | undefined,
  ) {
    this.raw = request
    this.method = method
    this.path = path
    this.matched = matched
    this.params = matched.params ?? new Bag()
    this.site = site
    this.#env = env
    this.execution = execution
  }

  get request(): Request {
    return this.raw
  }

  set request(request: Request) {
    this.raw = request
  }

  get response(): Response | undefined {
    return this.adopted
  }

  set response(response: Response | undefined) {
    this.adopted = response && makeNewest(this, response)
  }

  get env(): unknown {
    return this.#env ?? NO_ENV
  }

  get basePath(): string {
    return this.site.basePath
  }

  get url(): URL {
    if (!this.#url) {
      this.#url = new URL(this.raw.url)
      // Code that has already read the query keeps using the same object
      if (this.#query) Object.defineProperty(this.#url, 'searchParams', { value: this.#query })
    }
    return this.#url
  }

  get query(): URLSearchParams {
    this.#query ??= this.#url?.searchParams ?? new URLSearchParams(searchOf(this.raw))
    return this.#query
  }

  set query(value: URLSearchParams) {
    Object.defineProperty(this, 'query', { value, writable: true })
  }

  get state(): Record<string, unknown> {
    this.#state ??= new Bag()
    return this.#state
  }

  header(name: string): string | null {
    return headerOf(this.raw, name)
  }
}
