import type { RouteInfo } from '../../src/pipe/list-routes.ts'

/** The part of an application that development needs. */
export interface DevApplication {
  readonly plan: TracedPlan
  readonly basePath: string
  readonly container: DevContainer
  readonly routes: () => readonly RouteInfo[]
  readonly use: (middleware: DevStep) => unknown
  readonly ready?: () => Promise<void>
  readonly listen: (options: { port: number; hostname: string }, callback: (port: number) => void) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** The part of its container that development needs. */
export interface DevContainer {
  readonly bindings: ReadonlyMap<string, { readonly lifetime: { readonly name: string } }>
  readonly has: (name: string) => boolean
  readonly make: (name: string) => unknown
}

/** The part of a context that development needs. */
export interface DevContext {
  readonly request: Request
  readonly onResponse: (edit: readonly string[] | ((response: Response) => Response | undefined)) => void
}

/** A middleware or handler, with the properties that the framework sets on it. */
export type DevStep = (ctx: object, next?: unknown) => unknown

/** A route of a plan. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly middleware: readonly DevStep[]
  readonly handler: DevStep
}

/** The plan of an application, in the order of registration. */
export interface TracedPlan {
  readonly uses: DevStep[]
  readonly routes: Route[]
}

/** Limits middleware to a path: `at` of sluice. */
export type PlaceStep = (pattern: string, step: DevStep) => DevStep
