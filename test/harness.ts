import { createApp } from '../src/app.ts'
import type { Execution } from '../src/context.ts'
import { methodNotAllowed } from '../src/method-not-allowed.ts'
import { pipe } from '../src/pipe.ts'
import { blank, route, use } from '../src/plan.ts'
import { type FetchOptions, toFetch } from '../src/to-fetch.ts'

/** An application for both doors, as a plain description. Handlers and middleware are loosely typed: the doors' own types have tests of their own. */
export interface Setup {
  /** Middleware, or `[path, middleware]`. */
  readonly use?: readonly (Step | readonly [string, Step])[]
  /** `[method, path, ...middleware, handler]`. */
  readonly routes?: readonly (readonly [string, string, ...Step[]])[]
  readonly notFound?: Step
  readonly onError?: (error: unknown, ctx: any) => any // see Setup
  readonly basePath?: string
  readonly strict?: boolean
  readonly methodNotAllowed?: boolean
}

type Step = (ctx: any, next: any) => any // see Setup

/** What a door gives: a `fetch` that always returns a promise. */
export type Door = (
  setup: Setup,
) => (request: Request | string, env?: unknown, execution?: Execution) => Promise<Response>

const toRequest = (request: Request | string): Request =>
  typeof request === 'string' ? new Request(`http://localhost${request}`) : request

const optionsOf = ({ notFound, onError, basePath, strict }: Setup): FetchOptions => ({
  ...(notFound && { notFound: notFound as never }),
  ...(onError && { onError }),
  ...(basePath !== undefined && { basePath }),
  ...(strict !== undefined && { strict }),
})

const viaCreateApp: Door = (setup) => {
  const app: any = createApp({
    ...optionsOf(setup),
    ...(setup.methodNotAllowed && { methodNotAllowed: true }),
  } as never)
  for (const step of setup.use ?? []) app.use(...[step].flat())
  for (const [method, path, ...steps] of setup.routes ?? []) {
    const name = method === '*' ? 'all' : method.toLowerCase()
    if (name in app) app[name](path, ...steps)
    else app.mount('/', pipe(blank, route(method, path, ...(steps as never[] as [never]))))
  }
  return async (request, env, execution) => app.fetch(toRequest(request), env, execution)
}

const viaPipe: Door = (setup) => {
  let plan = blank
  for (const step of setup.use ?? []) plan = use(...([step].flat() as [string, Step]))(plan)
  for (const [method, path, ...steps] of setup.routes ?? []) {
    plan = route(method, path, ...(steps as never[] as [never]))(plan as never)
  }
  const fetch = toFetch(plan, { ...optionsOf(setup), ...(setup.methodNotAllowed && { methodNotAllowed }) })
  return async (request, env, execution) => fetch(toRequest(request), env, execution)
}

/** Both ways to build an application; every behavioural test runs through both. */
export const doors: readonly (readonly [string, Door])[] = [
  ['createApp', viaCreateApp],
  ['pipe', viaPipe],
]
