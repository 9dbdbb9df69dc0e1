import { renderErrorPage } from './error-page.ts'

/** A step of the pipeline: middleware or handler. */
type Step = ((ctx: object, next?: unknown) => unknown) & { readonly rewrites?: boolean }

interface Scope {
  readonly path: string | undefined
  readonly step: Step
}

interface Route {
  readonly method: string
  readonly path: string
  readonly middleware: readonly Step[]
  readonly handler: Step
}

/** The part of an application that development needs: its plan is what it is made of, in the order of registration. */
export interface DevApplication {
  readonly plan: { readonly uses: Scope[]; readonly routes: Route[] }
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
  readonly onResponse: (edit: (response: Response) => Response | undefined) => void
}

/**
 * Let an application answer every 5xx of something thrown with a page about it. Whatever the application itself makes
 * of the error runs first; other answers stay as they are.
 */
export const watchErrors = (app: DevApplication): void => {
  const failures = new WeakMap<object, Failure>()
  const page: Step = function sluiceDev(ctx, next) {
    // The first edit that is registered is the last that runs: it sees what would have left.
    ;(ctx as ErrorContext).onResponse((response) => {
      const failure = failures.get(ctx)
      return failure !== undefined && response.status >= 500
        ? renderErrorPage(failure, (ctx as ErrorContext).request, response)
        : undefined
    })
    return (next as () => unknown)()
  }
  const { uses, routes } = app.plan
  const trace = (step: Step): Step => tracedStep(step, `middleware ${step.name || '(anonymous)'}`, failures)
  uses.splice(0, uses.length, ...uses.map(({ path, step }) => ({ path, step: trace(step) })))
  uses.unshift({ path: undefined, step: page })
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
    if (failures.get(ctx)?.error !== error) failures.set(ctx, { error, step: label })
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
  return Object.assign(run, step.rewrites && { rewrites: true })
}
