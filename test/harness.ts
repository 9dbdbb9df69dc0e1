import { rereadable } from '#runtime/core'
import { createApp } from '../src/app.ts'
import type { Execution } from '../src/internal/types/context.ts'
import { BaseContext } from '../src/kernel/context.ts'
import { onResponse } from '../src/kernel/edits.ts'
import { type FetchOptions, toFetch } from '../src/kernel/fetch.ts'
import { blank, type Plan, route, use } from '../src/kernel/plan.ts'
import { at, basePath } from '../src/kernel/scope.ts'
import { methodNotAllowed } from '../src/pipe/method-not-allowed.ts'
import { pipe } from '../src/pipe.ts'
import { readBytes } from '../src/read/bytes.ts'
import { readForm } from '../src/read/form.ts'
import { readJson } from '../src/read/json.ts'
import { readText } from '../src/read/text.ts'
import { createApp as createTinyApp } from '../src/tiny.ts'

/** An application for each door, as a plain description, with loose types: the types of the doors have tests. */
export interface Setup {
  /** Middleware, or `[path, middleware]`. */
  readonly use?: readonly (Step | readonly [string, Step])[]
  /** `[method, path, ...middleware, handler]`. */
  readonly routes?: readonly (readonly [string, string, ...Step[]])[]
  readonly notFound?: Step
  readonly onError?: (error: unknown, ctx: any) => any // see Setup
  readonly onRefusal?: (error: unknown, ctx: any) => any // see Setup
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

const optionsOf = ({ notFound, methodNotAllowed: allow, onError, onRefusal, strict }: Setup): FetchOptions => ({
  ...(notFound && { notFound: notFound as never }),
  ...(allow && { methodNotAllowed }),
  ...(onError && { onError }),
  ...(onRefusal && { onRefusal }),
  ...(strict !== undefined && { strict }),
})

/** Everything through an application with methods. */
const register = (app: any, setup: Setup): any => {
  for (const step of setup.use ?? []) app.use(...[step].flat())
  for (const [method, path, ...steps] of setup.routes ?? []) {
    const name = method === '*' ? 'all' : method.toLowerCase()
    if (name in app) app[name](path, ...steps)
    else app.mount('/', pipe(blank, route(method, path, ...(steps as never[] as [never]))))
  }
  return app
}

const viaCreateApp: Door = (setup) => {
  const { basePath: prefix } = setup
  const options = { ...optionsOf(setup), ...(prefix !== undefined && { basePath: prefix }) }
  const app = register(createApp(options as never), setup)
  return async (request, env, execution) => app.fetch(toRequest(request), env, execution)
}

const viaTiny: Door = (setup) => {
  const { basePath: prefix } = setup
  const app = register(
    createTinyApp({ ...optionsOf(setup), ...(prefix !== undefined && { basePath: prefix }) } as never),
    setup,
  )
  return async (request, env, execution) => app.fetch(toRequest(request), env, execution)
}

const viaPipe: Door = (setup) => {
  let plan = blank
  for (const step of setup.use ?? []) {
    const [path, middleware] = [step].flat() as [string | Step, Step]
    plan = use(typeof path === 'string' ? at(path, middleware) : path)(plan as never) as never
  }
  for (const [method, path, ...steps] of setup.routes ?? []) {
    plan = route(method, path, ...(steps as never[] as [never]))(plan as never)
  }
  if (setup.basePath !== undefined) plan = basePath(setup.basePath)(plan)
  const fetch = toFetch(asMethods(plan), optionsOf(setup))
  return async (request, env, execution) => fetch(toRequest(request), env, execution)
}

/** Behavioural tests are written once, with methods: on the pipe door these are the functions of the same names. */
const asMethods = (plan: Plan): Plan => ({ ...plan, context: PipeContext })

class PipeContext extends BaseContext {
  override get request(): Request {
    return rereadable(this.raw)
  }
  override set request(request: Request) {
    this.raw = request
  }
  json = (): Promise<unknown> => readJson(this as never)
  text = (): Promise<string> => readText(this as never)
  formData = (): Promise<FormData> => readForm(this as never)
  arrayBuffer = (): Promise<ArrayBuffer> => readBytes(this as never).then((bytes) => bytes.buffer)
  blob = (): Promise<Blob> => this.request.blob()
  onResponse = (edit: any): void => onResponse(this as never, edit) // any: see Setup
}

/** Every way to build an application; every behavioural test runs through each. */
export const doors: readonly (readonly [string, Door])[] = [
  ['createApp', viaCreateApp],
  ['tiny', viaTiny],
  ['pipe', viaPipe],
]

/** Middleware that responds to requests with `x-late` as `timeout` does: while what is behind it still runs. */
export const lateIf =
  (begun: Promise<void>): Step =>
  (ctx, next) => {
    const answer = next()
    return ctx.header('x-late') === null ? answer : begun.then(() => new Response('late', { status: 503 }))
  }

/** A promise, and what resolves it. */
export const gate = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
