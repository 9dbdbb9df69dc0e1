import type { Context, Handler, Middleware } from './context.ts'
import type { ParamsOf } from './params.ts'

/** The state that a middleware adds, if nothing was inferred: the next ones are not checked. */
export type Uninferred = any // any: `{}` would refuse what follows a generic factory, which is inferred late

/** The state that a middleware adds for those after it: nothing if it declares nothing. */
export type DeclaredState<Adds> = string extends keyof Adds ? {} : Adds

/**
 * {@link DeclaredState} for handlers. Written as a mapped type, from which TypeScript infers only if there is nothing
 * else: keys that a handler reads must not count as added by middleware.
 */
export type StateOf<Adds> = string extends keyof Adds ? {} : { [Key in keyof Adds]: Adds[Key] }

/** The state that middleware may need: anything, if the application is used in statements. */
export type StateNeeds<Known> = string extends keyof Known ? Uninferred : Known

/** The state after a middleware. An application is loose until the first middleware that declares a key. */
export type NextState<Known, Adds> = string extends keyof Known
  ? [keyof Adds & string] extends [never]
    ? Known
    : Adds
  : Known & Adds

/** A middleware that adds `Adds` to the state `Has`, which an inline function and callbacks in its options see. */
export type Step<Adds, Has, Methods, Env> = Middleware<
  DeclaredState<Adds>,
  NoInfer<Has>,
  Methods & Context<NoInfer<Has>, Record<string, string>, NoInfer<Env>>,
  NoInfer<Env>
>

/** Maps state, environment and routes to the type that a method returns. Each door has one; `SelfOf` applies it. */
export interface Self {
  readonly known: unknown
  readonly env: unknown
  readonly routes: unknown
  readonly type: unknown
  readonly prefix: string
}

export type SelfOf<S extends Self, Known, Env, R> = (S & {
  readonly known: Known
  readonly env: Env
  readonly routes: R
})['type']

/**
 * Types only: a route as its application's type knows it.
 *
 * @typeParam Adds what its own middleware adds, with the input that it takes from the request
 * @typeParam Out what its handler returns
 */
export interface Route<out Method extends string, out Path extends string, out Adds, out Out> {
  readonly method: Method
  readonly path: Path
  readonly adds: Adds
  readonly out: Out
}

declare const routes: unique symbol

/**
 * Types only: anything whose type knows its routes, a union of {@link Route}. Parameters of a method are compared both
 * ways: `let app = createApp()` may be given the same application with one route more.
 */
export interface HasRoutes<R> {
  [routes]?(known: R): void
}

export type JoinPaths<Prefix extends string, Path extends string> = Prefix extends '' | '/'
  ? Path
  : Path extends '/'
    ? Prefix
    : Path extends `/${string}`
      ? `${Prefix}${Path}`
      : `${Prefix}/${Path}`

export type Below<Prefix extends string, R> = 0 extends 1 & R
  ? R
  : R extends Route<infer Method, infer Path, infer Adds, infer Out>
    ? Route<Method, JoinPaths<Prefix, Path>, Adds, Out>
    : never

export type AnyRoute = Route<string, string, any, any> // any: what it adds and answers may be anything

/** The routes of an application or a plan; `never` for anything else. The compiler need not visit each route. */
export type RoutesOf<Holder> =
  Holder extends HasRoutes<infer R extends AnyRoute>
    ? [Extract<keyof Holder, typeof routes>] extends [never]
      ? never
      : R
    : never

/**
 * Registers a route for one method: path, up to four middleware of its own, handler. Returns the same object, whose
 * type knows the route. The earlier routes are inferred from `this`: with a type parameter, each call would visit all.
 *
 * @typeParam Known the state that the handler sees, without the keys that the route's own middleware adds
 * @typeParam Has the state that the first middleware may need
 */
// biome-ignore format: a block for each number of middleware
export interface RouteMethod<M extends string, Known, Has, Env, Methods, S extends Self> {
  <R, const P extends string, O extends Response>(
    this: HasRoutes<R>, path: P, handler: Handler<Known, ParamsOf<P, S['prefix']>, Env, Methods, O>
  ): SelfOf<S, Known, Env, R | Route<M, P, {}, O>>
  <R, const P extends string, O extends Response, A1 = Uninferred>(
    this: HasRoutes<R>, path: P, m1: Step<A1, Has, Methods, Env>, handler: Handler<Known & StateOf<A1>, ParamsOf<P, S['prefix']>, Env, Methods, O>
  ): SelfOf<S, Known, Env, R | Route<M, P, DeclaredState<A1>, O>>
  <R, const P extends string, O extends Response, A1 = Uninferred, A2 = Uninferred>(
    this: HasRoutes<R>, path: P, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2>, ParamsOf<P, S['prefix']>, Env, Methods, O>
  ): SelfOf<S, Known, Env, R | Route<M, P, DeclaredState<A1> & DeclaredState<A2>, O>>
  <R, const P extends string, O extends Response, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred>(
    this: HasRoutes<R>, path: P, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2> & StateOf<A3>, ParamsOf<P, S['prefix']>, Env, Methods, O>
  ): SelfOf<S, Known, Env, R | Route<M, P, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3>, O>>
  <R, const P extends string, O extends Response, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred, A4 = Uninferred>(
    this: HasRoutes<R>, path: P, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>,
    m4: Step<A4, Has & A1 & A2 & A3, Methods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2> & StateOf<A3> & StateOf<A4>, ParamsOf<P, S['prefix']>, Env, Methods, O>
  ): SelfOf<S, Known, Env, R | Route<M, P, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3> & DeclaredState<A4>, O>>
}
