/** Invariant: everything that belongs to one request is declared here. No file adds members to a context by a cast. */
import { DEV } from '#mode'
import { adopt, headerOf, searchOf } from '#runtime/core'
import { NullRecord } from '../internal/object/null-record.ts'
import type { Awaitable } from '../internal/promise/awaitable.ts'
import type { SessionLink } from '../internal/session/session-store.ts'
import type { AnyContext, Execution, FieldList, ResponseEdit } from '../internal/types/context.ts'
import type { PlannedRoute } from '../internal/types/plan.ts'
import type { AppSettings, MountSettings } from '../internal/types/settings.ts'

/** A handler, with the middleware of its route; without a route, with the middleware of all requests. */
export interface RouteTarget {
  readonly plannedRoute?: PlannedRoute | undefined
  readonly handler: (ctx: never) => Awaitable<Response>
  /** The settings of a mounted application. @default the settings of the route */
  readonly mountSettings?: MountSettings | undefined
  /** The same middleware, ending in a 404 or 405: for a method that the path does not have. */
  wrongMethod?: RouteTarget
  /** The composed chain and all settings: made when they are first used. */
  run?: RunChain
  settings?: AppSettings
}

export type RunChain = (ctx: BaseContext) => Awaitable<Response>

/** A stack of edits. */
export interface Edit {
  readonly edit: FieldList | ResponseEdit
  older: Edit | undefined
}

export interface Deadline {
  readonly abort: AbortController
  /** The signal that aborts with the request, and when the deadline has passed. */
  join(request: Request): AbortSignal
  stop(): void
}

/** The context of the pipe door: expensive members are created on first use. */
export class BaseContext implements AnyContext {
  /** The original request; {@link request} may be another view of it. */
  declare raw: Request
  declare method: string
  declare params: Record<string, string>
  /** The settings of the application; after the look-up, those of the application that the route belongs to. */
  declare settings: AppSettings
  declare readonly execution: Execution | undefined
  target: RouteTarget | undefined
  /** The newest response of the chain: a copy that only this request has. */
  ownResponse: Response | undefined
  /** The edits that have not run yet, the newest first. */
  edits: Edit | undefined
  /** Runs the edits: set with the first one. */
  runEdits: ((ctx: BaseContext, response: Response) => Awaitable<Response>) | undefined
  /** Sends `instead()`, unless a response was already sent. Set when a chain with a deadline begins. */
  declare respondInstead?: (instead: () => Awaitable<Response>) => void
  /** True once the chain or the deadline has won: what comes later is dropped. */
  declare isRaceOver?: true

  // Set by middleware
  declare deadline?: Deadline
  declare session?: SessionLink
  /** Set if the response may contain data of this client, such as its token: `cache` stores it only if `public`. */
  declare isPrivate?: true
  declare timings?: { readonly metrics: string[]; readonly now: () => number }
  declare trace?: unknown

  /** Private, so that no log of a context prints the environment. */
  readonly #env: unknown
  #path: string
  #state: Record<string, unknown> | undefined
  #url: URL | undefined
  #query: URLSearchParams | undefined

  constructor(
    request: Request,
    method: string,
    path: string,
    settings: AppSettings,
    env: unknown,
    execution: Execution | undefined,
  ) {
    this.raw = request
    this.method = method
    this.#path = path
    this.params = new NullRecord()
    this.settings = settings
    this.#env = env ?? {}
    this.execution = execution
  }

  get request(): Request {
    return this.raw
  }

  set request(request: Request) {
    this.raw = request
  }

  get path(): string {
    return this.#path
  }

  set path(path: string) {
    // Guards have seen the old path
    if (this.target)
      throw new TypeError(DEV ? 'ctx.path: set it in prepare(), before the route is looked up' : 'ctx.path')
    this.#path = path
  }

  get response(): Response | undefined {
    return this.ownResponse
  }

  /** The response is copied, because it may be the same object for every request. */
  set response(response: Response | undefined) {
    if (response !== this.ownResponse) this.ownResponse = response && adopt(response)
  }

  get env(): unknown {
    return this.#env
  }

  get basePath(): string {
    return this.settings.basePath
  }

  get url(): URL {
    this.#url ??= new URL(this.raw.url)
    return this.#url
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(searchOf(this.raw))
    return this.#query
  }

  set query(value: URLSearchParams) {
    Object.defineProperty(this, 'query', { value, writable: true })
  }

  get state(): Record<string, unknown> {
    this.#state ??= new NullRecord()
    return this.#state
  }

  header(name: string): string | null {
    return headerOf(this.raw, name)
  }
}

export const internalsOf = (ctx: object): BaseContext => ctx as BaseContext

/** The copy of a response that only this request has. @throws {TypeError} if its body was already read. */
export const toOwnResponse = (response: Response, ctx: BaseContext): Response => {
  ctx.response = response
  return ctx.ownResponse!
}
