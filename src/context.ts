import type { ValidationError } from './internal/validation-error.ts'

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>

/** What a platform such as workerd passes to `fetch` as the third argument. */
export interface Execution {
  /** Keep the request's resources until the promise has settled. */
  waitUntil?(promise: Promise<unknown>): void
  /** Let the origin answer when the worker throws. */
  passThroughOnException?(): void
}

/** Header fields with lower-case names, one after the other: `['x-frame-options', 'DENY', 'vary', 'Origin']`. */
export type FieldList = readonly string[]

/** Edits the response that leaves the application, or gives another in its place. */
export type ResponseEdit = (response: Response) => Awaitable<Response | void>

/** Anything that `validate` and the validator middleware accept: Standard Schema v1, or an object with `safeParse`. */
export type AnySchema<Out = unknown> =
  | {
      readonly '~standard': {
        readonly validate: (value: unknown) => unknown
        readonly types?: { readonly output: Out } | undefined
      }
    }
  | { safeParse(value: unknown): unknown; readonly _output?: Out }

/** The type that a schema gives out. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Out }
    ? Out
    : unknown
  : S extends { readonly _output?: infer Out }
    ? Out
    : unknown

/** Shared data between middleware and handlers: the keys that middleware declared are typed; any other is `any`, for applications that call `app.use` in statements. */
export type State<Known> = Known & Record<string, any>

/**
 * What every handler and middleware gets. The same on both doors; `createApp` adds the response methods
 * ({@link Respond}).
 */
export interface Context<Known extends object = {}, Params = Record<string, string>, Env = any> {
  /** The native request. Its body can be read any number of times. */
  readonly request: Request
  /** Method of the request, upper case as sent. */
  readonly method: string
  /** Path that the router matches, percent-encoded as sent. A middleware that is marked `rewrites` may set it. */
  path: string
  /** Parsed URL, made when first read. `hash` is always empty on a server. */
  readonly url: URL
  /** Query parameters: `url.searchParams`, unless a middleware has put a cleaned copy in its place. */
  query: URLSearchParams
  /** Route parameters, percent-decoded; an empty record when the route has none. */
  params: Params
  /** Environment values on edge runtimes (second argument of `fetch`). */
  readonly env: Env
  /** Third argument of `fetch`. */
  readonly execution: Execution | undefined
  /** Shared data between middleware and handlers, fresh for each request, without a prototype. */
  readonly state: State<Known>
  /** The newest response: set once `next()` has returned, or by a middleware that wants to answer. */
  response: Response | undefined
  /** Prefix of all routes, without a trailing slash; `''` when there is none. */
  readonly basePath: string
  /** Value of a request header, `null` when absent. */
  header(name: string): string | null
  /** Body parsed as JSON. @throws {HttpError} 400 when it is not JSON. */
  json<T = unknown>(): Promise<T>
  /** Body as text, UTF-8. */
  text(): Promise<string>
  /** Body as form data. */
  formData(): Promise<FormData>
  /** Body as bytes. */
  arrayBuffer(): Promise<ArrayBuffer>
  /** Body as a blob. */
  blob(): Promise<Blob>
  /**
   * Body validated by a schema: `state.body` where a body parser ran, else JSON or a form by content type.
   * @throws {ValidationError} with `issues` and `format()`; uncaught it is answered with 422.
   */
  validate<S extends AnySchema>(schema: S): Promise<OutputOf<S>>
  /**
   * Register an edit of the response that leaves the application, whoever made it: the handler, a short-circuit,
   * `notFound` or `onError`. Runs once; the last registered runs first. A field list sets each field that the
   * response does not have yet (`vary` and `set-cookie` are added instead), and costs nothing until the response is written.
   */
  onResponse(edit: ResponseEdit | FieldList): void
}

/** Run the rest of the chain. `await` it: the promise is left out when nothing downstream was asynchronous. */
export type Next = () => Awaitable<Response>

/** Answers a request. */
export type Handler<Known extends object = {}, Params = Record<string, string>, Env = any, Extra = unknown> = (
  ctx: Context<Known, Params, Env> & Extra,
) => Awaitable<Response>

/**
 * A step around the handler.
 *
 * @typeParam Adds what it writes to `ctx.state`
 * @typeParam Needs what must be in `ctx.state` before it runs; checked where it is used
 * @typeParam Extra what it expects of the context beyond {@link Context}
 */
export interface Middleware<in Adds extends object = {}, in Needs extends object = {}, in Extra = unknown> {
  (ctx: Context<Adds & Needs> & Extra, next: Next): Awaitable<Response | void>
  /** True when it may set `ctx.path`: only then the innermost step matches again. */
  readonly rewrites?: boolean
}

export type { ValidationError }
