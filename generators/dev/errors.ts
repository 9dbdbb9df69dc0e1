import { renderErrorPage } from './error-page.ts'

/** A step of the pipeline: middleware or handler. */
type Step = ((ctx: object, next?: unknown) => unknown) & { readonly rewrites?: boolean }

/** A plan of the application: entries, newest first. */
interface Plan {
  readonly entry: Entry | undefined
  readonly before: Plan | undefined
}

interface Entry {
  readonly kind: 'use' | 'route' | 'mount'
  readonly method?: string
  readonly path?: string
  readonly middleware?: readonly Step[]
  readonly handler?: Step
  readonly plan?: Plan
}

/** The part of an application that development needs. */
export interface DevApplication {
  plan: Plan
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
  app.plan = append({ kind: 'use', middleware: [page] }, traced(app.plan, failures))
  // A plan is compiled once: adding a step has it compiled again.
  app.use(passing)
}

const passing: Step = function sluiceDevEnd(_ctx, next) {
  return (next as () => unknown)()
}

/** The plan with one more entry at its very beginning. */
const append = (first: Entry, plan: Plan): Plan =>
  plan.entry === undefined || plan.before === undefined
    ? { entry: first, before: { entry: undefined, before: undefined } }
    : { ...plan, before: append(first, plan.before) }

/** The same plan, each step of it noting what it lets through. */
const traced = (plan: Plan, failures: WeakMap<object, Failure>): Plan => {
  const { entry, before } = plan
  if (entry === undefined) return plan
  const rest = before === undefined ? before : traced(before, failures)
  return { entry: tracedEntry(entry, failures), before: rest }
}

const tracedEntry = (entry: Entry, failures: WeakMap<object, Failure>): Entry => ({
  ...entry,
  ...(entry.middleware && {
    middleware: entry.middleware.map((step) => tracedStep(step, `middleware ${step.name || '(anonymous)'}`, failures)),
  }),
  ...(entry.handler && { handler: tracedStep(entry.handler, `handler of ${entry.method} ${entry.path}`, failures) }),
  ...(entry.plan && { plan: traced(entry.plan, failures) }),
})

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
