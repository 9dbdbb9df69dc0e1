import type { Where } from '../route/match.ts'
import type { AnyEnv, Handler, Middleware } from './context.ts'
import type { HasRoutes } from './route.ts'
import type { AppSettings, ContextClass, MountSettings } from './settings.ts'

/** A route: method `*` is every method. */
export interface PlannedRoute {
  readonly method: string
  readonly path: string
  readonly middleware: readonly Middleware[]
  readonly handler: Handler
  /** The patterns of its parameters, from `sluice/router/patterns`. */
  readonly where?: Where
  /** The path with these patterns, for lists of routes. */
  readonly show?: (path: string) => string
  readonly settings?: MountSettings | undefined
}

/** Makes the routes of a path: several if parameters at its end may be absent. */
export type ToRoutes = (method: string, path: string, steps: HandlerList) => readonly PlannedRoute[]

/** Middleware of a route, then its handler. */
export type HandlerList = readonly [...Middleware[], Handler]

/**
 * An application as data: middleware and routes in order. Functions never change a plan, they return a longer one.
 *
 * @typeParam Known the state that the middleware so far has added
 * @typeParam R the routes, for `sluice/client`
 */
export interface Plan<Known = {}, Env = AnyEnv, R = any> extends HasRoutes<R> {
  readonly uses: readonly Middleware[]
  readonly routes: readonly PlannedRoute[]
  /** The class of the contexts. @default the smallest class */
  readonly context?: ContextClass
  readonly settings?: AppSettings
  /** Types only: the state and the environment. */
  readonly types?: { readonly known: Known; readonly env: Env } | undefined
}

/** A plan with any state and environment. */
export type AnyPlan<R = any> = Plan<any, any, R> // any: a plan is also what its functions take, so `unknown` would refuse it

/** Anything that holds a plan: an application, a group, or the plan itself. */
export type PlanSource =
  | {
      readonly plan: AnyPlan
      readonly basePath?: string
      /** The settings that an application keeps when it is mounted. */
      readonly settings?: MountSettings
    }
  | AnyPlan
