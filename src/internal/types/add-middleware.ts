import type { DeclaredState, NextState, Self, SelfOf, Step, Uninferred } from './route.ts'

/** Adds up to four middleware for every request, or for the paths that a pattern matches. */
// biome-ignore format: a block for each number of middleware
export interface AddMiddleware<Known, Has, Env, Methods, S extends Self, R>
  extends AddMiddlewareAt<Known, Has, Env, Methods, S, R> {
  <A1 = Uninferred>(m1: Step<A1, Has, Methods, Env>): SelfOf<S, NextState<Known, DeclaredState<A1>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred>(
    m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred, A3 = Uninferred>(
    m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred, A3 = Uninferred, A4 = Uninferred>(
    m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>,
    m4: Step<A4, Has & A1 & A2 & A3, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3> & DeclaredState<A4>>, Env, R>
}

/** Adds up to four middleware for the paths that a pattern matches. Comes last: TypeScript 7 explains the last one. */
// biome-ignore format: a block for each number of middleware
export interface AddMiddlewareAt<Known, Has, Env, Methods, S extends Self, R> {
  <A1 = Uninferred>(path: string, m1: Step<A1, Has, Methods, Env>): SelfOf<S, NextState<Known, DeclaredState<A1>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred>(
    path: string, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred, A3 = Uninferred>(
    path: string, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3>>, Env, R>
  <A1 = Uninferred, A2 = Uninferred, A3 = Uninferred, A4 = Uninferred>(
    path: string, m1: Step<A1, Has, Methods, Env>, m2: Step<A2, Has & A1, Methods, Env>, m3: Step<A3, Has & A1 & A2, Methods, Env>,
    m4: Step<A4, Has & A1 & A2 & A3, Methods, Env>
  ): SelfOf<S, NextState<Known, DeclaredState<A1> & DeclaredState<A2> & DeclaredState<A3> & DeclaredState<A4>>, Env, R>
}
