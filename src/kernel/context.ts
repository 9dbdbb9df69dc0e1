/**
 * Invariant: everything that belongs to one request is declared here. No file adds slots to a context by a cast.
 */
import { DEV } from '#mode'
import { adopt, headerOf, searchOf } from '#runtime/core'
import { Bag } from '../internal/object/bag.ts'
import type { Awaitable } from '../internal/promise/awaitable.ts'
import type { SessionLink } from '../internal/session/session-store.ts'
import type { AnyContext, Execution, FieldList, ResponseEdit } from '../internal/types/context.ts'
import type { PlannedRoute } from '../internal/types/plan.ts'
import type { AppSettings, MountSettings } from '../internal/types/settings.ts'

/** A handler, and the middleware in front of it: that of a route, or that of all requests. */
export interface Target {
  /** The route whose middleware runs. */
  readonly plannedRoute?: PlannedRoute | undefined
  /** The handler of the route, or the function that responds instead. */
  readonly handler: (ctx: never) => Awaitable<Response>
  /** The settings of a mounted application. @default the settings of the route */
  readonly mountSettings?: MountSettings | undefined
  /** The same middleware, with a handler that responds 404 or 405: for a method that the path does not have. */
  wrongMethod?: Target
  /** The composed chain and all settings: made when they are first used. */
  run?: Run
  settings?: AppSettings
}

/** A chain of middleware and the handler behind it. */
export type Run = (ctx: BaseContext) => Awaitable<Response>

/** The newest edit, and the older ones: a stack. */
export interface Edit {
  readonly edit: FieldList | ResponseEdit
  older: Edit | undefined
}

/** A deadline: its signal, and how it ends early. */
export interface Deadline {
  readonly abort: AbortController
  /** The signal that aborts with the request, and when the deadline has passed. */
  join(request: Request): AbortSignal
  stop(): void
}

/** The context of the pipe door: expensive members are created on first use. Everything else is a function over it. */
export class BaseContext implements AnyContext {
  /** The original request; {@link request} may be another view of it. */
  declare raw: Request
  declare method: string
  declare params: Record<string, string>
  /** The settings of the application; after the look-up, those of the application that the route belongs to. */
  declare settings: AppSettings
  declare readonly execution: Execution | undefined
  /** The target that the router found for the path. */
  target: Target | undefined
  /** The newest response of the chain, a copy that only this request has. */
  copy: Response | undefined
  /** The edits that have not run yet, the newest first. */
  edits: Edit | undefined
  /** Runs the edits: set with the first one. */
  finish: ((ctx: BaseContext, response: Response) => Awaitable<Response>) | undefined
  /** Ends the request with another answer, unless it has one: set while a chain with a deadline runs asynchronously. */
  declare expire?: (instead: () => Awaitable<Response>) => void
  /** True when an answer has won a race: what comes later is dropped. */
  declare done?: true
  /** The deadline that is running: an inner one replaces it. */
  declare deadline?: Deadline
  /** The session that is in `state`. */
  declare session?: SessionLink
  /** Whether the answer is for this client alone: a token, or a right, of its own went into it. */
  declare personal?: true
  /** The metrics of `serverTiming`, and its clock. */
  declare timings?: { readonly metrics: string[]; readonly now: () => number }
  /** The trace context of `tracing`. */
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
    this.params = new Bag()
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
    // A guard that has looked at the path would not hold for another one
    if (this.target)
      throw new TypeError(DEV ? 'ctx.path: set it in prepare(), before the route is looked up' : 'ctx.path')
    this.#path = path
  }

  get response(): Response | undefined {
    return this.copy
  }

  /** The response is copied, because it may be the same object for every request. Text and bytes are shared. */
  set response(response: Response | undefined) {
    if (response !== this.copy) this.copy = response && adopt(response)
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
    this.#state ??= new Bag()
    return this.#state
  }

  header(name: string): string | null {
    return headerOf(this.raw, name)
  }
}

/** The slots of a context, for the functions over it. */
export const slotsOf = (ctx: object): BaseContext => ctx as BaseContext

/** The copy of a response that only this request has. @throws {TypeError} if its body was already read. */
export const copyOf = (response: Response, ctx: BaseContext): Response => {
  ctx.response = response
  return ctx.copy!
}
