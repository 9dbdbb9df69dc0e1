import type { App } from '../../src/app/app.ts'

/** An application whose plan `sluice dev` changes in place. */
export interface DevApplication extends Pick<App, 'basePath' | 'container' | 'routes' | 'ready' | 'listen' | 'close'> {
  readonly plan: TracedPlan
  readonly use: (middleware: DevStep) => unknown
}

/** The part of a context that development needs. */
export interface DevContext {
  readonly request: Request
  readonly onResponse: (edit: readonly string[] | ((response: Response) => Response | undefined)) => void
}

/** A middleware or handler, with the properties that the framework sets on it. */
export type DevStep = (ctx: object, next?: unknown) => unknown

/** The plan of an application, in the order of registration. */
export interface TracedPlan {
  readonly uses: DevStep[]
  readonly routes: {
    readonly method: string
    readonly path: string
    readonly middleware: readonly DevStep[]
    readonly handler: DevStep
  }[]
}

/** Limits middleware to a path: `at` of sluice. */
export type PlaceStep = (pattern: string, step: DevStep) => DevStep
