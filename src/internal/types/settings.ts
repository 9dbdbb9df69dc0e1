import type { Execution } from '../../runtime/contract.ts'
import type { Awaitable } from '../promise/awaitable.ts'
import type { Router } from '../route/match.ts'

/** Turns an error of a handler or middleware into a response. */
export type OnError<Ctx> = (error: unknown, ctx: Ctx) => Awaitable<Response>

/** Responds if no route matches, or returns nothing. */
export type NotFound<Ctx> = (ctx: Ctx) => Awaitable<Response | undefined> | undefined

/** Responds if a path has routes, but none for the method, or returns nothing. */
export type MethodNotAllowed<Ctx> = (ctx: Ctx, router: Router<unknown>) => Awaitable<Response | undefined> | undefined

/** The same functions with an unknown context. Declared as methods, because only those accept a narrower parameter. */
type AnyOnError = { method(error: unknown, ctx: object): Awaitable<Response> }['method']
type AnyNotFound = { method(ctx: object): ReturnType<NotFound<object>> }['method']
type AnyMethodNotAllowed = { method(ctx: object, router: Router<unknown>): ReturnType<NotFound<object>> }['method']

/** The settings of an application that travel with its routes: a mounted application keeps them. */
export interface MountSettings {
  readonly onError?: AnyOnError | undefined
  /** Formats refusals. @default `{ error, … }` */
  readonly onRefusal?: AnyOnError | undefined
  readonly notFound?: AnyNotFound | undefined
  readonly methodNotAllowed?: AnyMethodNotAllowed | undefined
  /** Sets how many bytes of a body the readers accept. */
  readonly limit?: ((request: Request) => void) | undefined
}

export type ContextClass = new (
  request: Request,
  method: string,
  path: string,
  settings: AppSettings,
  env: unknown,
  execution: Execution | undefined,
) => object

export interface AppSettings extends MountSettings {
  /** Prefix of all routes, without a trailing slash. */
  readonly basePath: string
  /** The application's container, if `createApp` made it. */
  readonly container?: unknown
  readonly router: Router<unknown>
  /** Handles another request, as `cache` does to refresh a response. */
  fetch?(request: Request, env?: unknown, execution?: Execution): Awaitable<Response>
}
