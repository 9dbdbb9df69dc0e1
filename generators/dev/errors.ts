import { renderErrorPage } from './error-page.ts'
import { isLocal } from './local.ts'

/** A step of the pipeline, middleware or handler, with what the framework keeps on it. */
type Step = (ctx: object, next?: unknown) => unknown

interface Route {
  readonly method: string
  readonly path: string
  readonly middleware: readonly Step[]
  readonly handler: Step
}

/** The part of an application that development needs: its plan is what it is made of, in the order of registration. */
export interface DevApplication {
  readonly plan: { readonly uses: Step[]; readonly routes: Route[] }
  readonly use: (middleware: Step) => unknown
  readonly listen: (options: { port: number; hostname: string }, callback: (port: number) => void) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** What was thrown, and the innermost step that it came out of. */
export interface Failure {
  readonly error: unknown
  readonly step: string
}

interface ErrorContext {
  readonly request: Request
  readonly onResponse: (edit: readonly string[] | ((response: Response) => Response | undefined)) => void
}

/** Options of {@link watchErrors}. */
export interface WatchOptions {
  /** Folder of the project: the page shows sources below it, and no other file. */
  readonly root: string
  /** Address of the client. @default unknown, which counts as this machine's */
  readonly addressOf?: (ctx: object) => string | undefined
}

/**
 * Let an application answer every 5xx of something thrown with a page about it, to requests of this machine.
 * Whatever the application itself makes of the error runs first; other answers stay as they are.
 */
export const watchErrors = (app: DevApplication, { root, addressOf = () => undefined }: WatchOptions): void => {
  const failures = new WeakMap<object, Failure>()
  const page: Step = function sluiceDev(ctx, next) {
    const context = ctx as ErrorContext
    // A kept connection would go on asking the process that has been replaced.
    if (!context.request.headers.has('upgrade')) context.onResponse(['connection', 'close'])
    // The first edit that is registered is the last that runs: it sees what would have left.
    context.onResponse((response) => {
      const failure = failures.get(ctx)
      const { request } = context
      if (failure === undefined || response.status < 500 || !isLocal(request, addressOf(ctx))) return undefined
      return renderErrorPage(failure, request, response.status, root)
    })
    return (next as () => unknown)()
  }
  const { uses, routes } = app.plan
  const trace = (step: Step): Step => tracedStep(step, `middleware ${step.name || '(anonymous)'}`, failures)
  uses.splice(0, uses.length, page, ...uses.map(trace))
  const traced = routes.map((route) => ({
    ...route,
    middleware: route.middleware.map(trace),
    handler: tracedStep(route.handler, `handler of ${route.method} ${route.path}`, failures),
  }))
  routes.splice(0, routes.length, ...traced)
  // A plan is compiled once: adding a step has it compiled again.
  app.use(passing)
}

const passing: Step = function sluiceDevEnd(_ctx, next) {
  return (next as () => unknown)()
}

/** Errors pass through every step on their way out: the first to see one is where it came from. */
const tracedStep = (step: Step, label: string, failures: WeakMap<object, Failure>): Step => {
  const note = (ctx: object, error: unknown): never => {
    const known = failures.get(ctx)
    if (known === undefined || known.error !== error) failures.set(ctx, { error, step: label })
    throw error
  }
  const run = (ctx: object, next?: unknown): unknown => {
    try {
      const answer = step(ctx, next)
      return answer instanceof Promise ? answer.catch((error: unknown) => note(ctx, error)) : answer
    } catch (error) {
      return note(ctx, error)
    }
  }
  Object.defineProperty(run, 'name', { value: step.name })
  return Object.assign(run, step)
}
