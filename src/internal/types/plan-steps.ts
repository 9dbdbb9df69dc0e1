import type { AnyState, Handler } from './context.ts'
import type { ParamsOf } from './params.ts'
import type { Plan } from './plan.ts'
import type { DeclaredState, Route, StateOf, Step, Uninferred } from './route.ts'

/** A function from a plan to one that also has `Adds` and `Added`. */
export type PlanStep<Known, Adds, Env, Added = never> = <R>(
  plan: Plan<Known, Env, R>,
) => Plan<Known & Adds, Env, R | Added>

/** A method that the context of the pipe door does not have: `Instead` replaces it. */
export interface Import<Instead extends string> {
  readonly import: Instead
}

/** The methods of `createApp`'s context, with the functions that replace them. */
export interface MissingMethods {
  readonly json: Import<'readJson or json of sluice/pipe'>
  readonly text: Import<'readText or text of sluice/pipe'>
  readonly formData: Import<'readForm of sluice/pipe'>
  readonly arrayBuffer: Import<'readBytes of sluice/pipe'>
  readonly blob: Import<'readBytes of sluice/pipe'>
  readonly validate: Import<'validate of sluice/pipe'>
  readonly onResponse: Import<'onResponse of sluice/pipe'>
  readonly waitUntil: Import<'waitUntil of sluice/pipe'>
  readonly html: Import<'html of sluice/pipe'>
  readonly redirect: Import<'redirect of sluice/pipe'>
  readonly stream: Import<'stream of sluice/pipe'>
  readonly sse: Import<'sse of sluice/pipe'>
  readonly signal: Import<'signalOf of sluice/signal'>
  readonly container: Import<'the type Middleware or Context of sluice/pipe: those of sluice are for createApp'>
}

/** Adds a route to a plan, with up to four middleware of its own. */
// biome-ignore format: a block for each number of middleware
export interface AddRoute {
  <Known = AnyState, const M extends string = string, const P extends string = string, Env = Uninferred,
    O extends Response = Response>(
    method: M, path: P, handler: Handler<Known, ParamsOf<P>, Env, MissingMethods, O>
  ): PlanStep<Known, {}, Env, Route<M, P, {}, O>>
  <Known = AnyState, const M extends string = string, const P extends string = string, Env = Uninferred,
    O extends Response = Response, A1 = Uninferred>(
    method: M, path: P, m1: Step<A1, Known, MissingMethods, Env>,
    handler: Handler<Known & StateOf<A1>, ParamsOf<P>, Env, MissingMethods, O>
  ): PlanStep<Known, {}, Env, Route<M, P, DeclaredState<A1>, O>>
  <Known = AnyState, const M extends string = string, const P extends string = string, Env = Uninferred,
    O extends Response = Response, A1 = Uninferred, A2 = Uninferred>(
    method: M, path: P, m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2>, ParamsOf<P>, Env, MissingMethods, O>
  ): PlanStep<Known, {}, Env, Route<M, P, DeclaredState<A1> & DeclaredState<A2>, O>>
  <Known = AnyState, const M extends string = string, const P extends string = string, Env = Uninferred,
    O extends Response = Response, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred>(
    method: M, path: P, m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>,
    m3: Step<A3, Known & A1 & A2, MissingMethods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2> & StateOf<A3>, ParamsOf<P>, Env, MissingMethods, O>
  ): PlanStep<Known, {}, Env, Route<M, P, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3>, O>>
  <Known = AnyState, const M extends string = string, const P extends string = string, Env = Uninferred,
    O extends Response = Response, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred,
    A4 = Uninferred>(
    method: M, path: P, m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>,
    m3: Step<A3, Known & A1 & A2, MissingMethods, Env>, m4: Step<A4, Known & A1 & A2 & A3, MissingMethods, Env>,
    handler: Handler<Known & StateOf<A1> & StateOf<A2> & StateOf<A3> & StateOf<A4>, ParamsOf<P>, Env, MissingMethods, O>
  ): PlanStep<Known, {}, Env, Route<M, P, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3> & DeclaredState<A4>, O>>
}

/** Adds up to four middleware to a plan, for every request. */
// biome-ignore format: a block for each number of middleware
export interface Use {
  <Known = AnyState, Env = Uninferred, A1 = Uninferred>(
    m1: Step<A1, Known, MissingMethods, Env>
  ): PlanStep<Known, DeclaredState<A1>, Env>
  <Known = AnyState, Env = Uninferred, A1 = Uninferred, A2 = Uninferred>(
    m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>
  ): PlanStep<Known, DeclaredState<A1> & DeclaredState<A2>, Env>
  <Known = AnyState, Env = Uninferred, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred>(
    m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>, m3: Step<A3, Known & A1 & A2, MissingMethods, Env>
  ): PlanStep<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3>, Env>
  <Known = AnyState, Env = Uninferred, A1 = Uninferred, A2 = Uninferred, A3 = Uninferred, A4 = Uninferred>(
    m1: Step<A1, Known, MissingMethods, Env>, m2: Step<A2, Known & A1, MissingMethods, Env>, m3: Step<A3, Known & A1 & A2, MissingMethods, Env>,
    m4: Step<A4, Known & A1 & A2 & A3, MissingMethods, Env>
  ): PlanStep<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3> & DeclaredState<A4>, Env>
}
