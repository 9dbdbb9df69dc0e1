import type { Execution } from '../../runtime/contract.ts'
import type { FieldList } from '../header/fields.ts'
import type { Awaitable } from '../promise/awaitable.ts'
import type { Contract } from '../route/contract.ts'

export type { Awaitable, Contract, Execution, FieldList }

/** Edits the response that leaves the application, or returns another one instead. */
export type ResponseEdit = (response: Response) => Awaitable<Response | void>

/** The environment of an application that has declared none. */
export type AnyEnv = any // any: its values have any type

/** The state of an application that has declared nothing: any key may exist. */
export interface AnyState {
  [key: string]: any // any: an undeclared key has no known type
}

/** A state with other keys than the declared ones, which are `any`. */
export type State<Known> = Known & AnyState

/** The argument of every handler and middleware. `createApp` adds methods, such as `ctx.json()` for `readJson(ctx)`. */
export interface Context<out Known = AnyState, out Params = Record<string, string>, out Env = AnyEnv> {
  /** The native request. */
  readonly request: Request
  /** Method of the request, upper case as sent. */
  readonly method: string
  /** Path that the router matches, percent-encoded as sent. Only `prepare` of a middleware may set it. */
  path: string
  /** Parsed URL, made when first read. `hash` is always empty on a server. */
  readonly url: URL
  /** Query parameters, perhaps cleaned by a middleware. To link to other ones, change `url.searchParams`. */
  query: URLSearchParams
  /** Route parameters, percent-decoded; an empty record if the route has none. */
  params: Params
  /** Environment values on edge runtimes (second argument of `fetch`). */
  readonly env: Env
  /** Third argument of `fetch`. */
  readonly execution: Execution | undefined
  /** Shared data of middleware and handlers, fresh for each request, without a prototype. */
  readonly state: Known
  /** The newest response: set when `next()` has returned, or by a middleware that responds. */
  response: Response | undefined
  /** Prefix of all routes, without a trailing slash; `''` if there is none. */
  readonly basePath: string
  /** Value of a request header, `null` if it is absent. */
  header(name: string): string | null
}

/** A context with any state, parameters and environment. */
export type AnyContext = Context<any, any, any> // any: `unknown` would refuse the context of a route

/** Run the rest of the chain. `await` it: it returns no promise if nothing was asynchronous. */
export type Next = () => Awaitable<Response>

/** Responds to a request. */
export type Handler<
  Known = AnyState,
  Params = Record<string, string>,
  Env = AnyEnv,
  Extra = unknown,
  Out extends Response = Response,
> = (ctx: Context<Known, Params, Env> & Extra) => Awaitable<Out>

declare const sent: unique symbol

/** A `Response` whose type has its data and its status, for `sluice/client`. */
export interface TypedResponse<out Output = unknown, out Status extends number = number> extends Response {
  readonly [sent]?: readonly [Output, Status]
  /** As in `Response`; `any`, so that a union with `Response` keeps both. */
  readonly type: any
}

declare const requestInput: unique symbol
declare const responsesByStatus: unique symbol

/**
 * Types only, within the state that a middleware adds: its input, for `sluice/client`: `body`, `query`, `headers`.
 *
 * @example
 * const page: Middleware<{ page: number } & RequestInput<{ query: { page: string } }>> = (ctx, next) => …
 */
export interface RequestInput<out Input> {
  readonly [requestInput]?: Input
}

/**
 * Types only, within the state that a middleware adds: the responses by status, for `sluice/client`, in place of those
 * of the handler. Each is a schema, `{ schema }`, or `Data`.
 *
 * @example
 * const described: Middleware<ResponsesByStatus<{ 200: Data<User>; 404: Data<{ error: string }> }>> =
 *   (_, next) => next()
 */
export interface ResponsesByStatus<out Responses> {
  readonly [responsesByStatus]?: Responses
}

/** A type in the place of a schema, for {@link ResponsesByStatus}. */
export interface Data<out Output> {
  readonly '~standard': { readonly types?: { readonly output: Output } | undefined }
}

/**
 * A function around the handler.
 *
 * @typeParam Adds the keys that it writes to `ctx.state`; without it, any key may be read and written inside
 * @typeParam Needs the keys that `ctx.state` must have before it runs
 * @typeParam Extra the members that it expects of the context beyond {@link Context}
 * @typeParam Env the type that it expects of `ctx.env`
 */
export interface Middleware<in Adds = AnyState, in Needs = {}, in Extra = unknown, in Env = AnyEnv> {
  (ctx: Context<NoInfer<Adds> & Needs, Record<string, string>, Env> & Extra, next: Next): Awaitable<Response | void>
  /** Runs before the route is looked up. Nothing else may set the path and the method. */
  readonly prepare?: ((ctx: any) => Awaitable<unknown>) | undefined // any: it may need anything
  /** Description of the routes behind it, for `sluice/openapi`. */
  readonly describes?: Contract | undefined
}

/**
 * The argument of a callback in the options of a middleware: the context of the application that uses it, if known.
 *
 * @typeParam Extra the context that the middleware expects
 */
export type CallbackContext<Extra> = Extra extends AnyContext ? Extra : Context & Extra

/** A middleware that may add, and need, anything. */
export type AnyMiddleware = Middleware<any, any, any> // any: `unknown` would refuse one that needs a key
