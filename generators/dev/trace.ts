import type { DevStep, PlaceStep, TracedPlan } from './application.ts'
import { type Conduct, missingResponse } from './explain.ts'

/** What was thrown, and the innermost step that threw it. */
export interface Failure {
  readonly error: unknown
  readonly step: string
  /** What the step did. */
  readonly conduct?: Conduct
}

/** A step that a request entered. Times are from `performance.now()`; a step without an end has not responded. */
export interface Visit {
  readonly step: string
  readonly begin: number
  end?: number
  /** True if the error was thrown in this step. */
  failed?: boolean
}

/** The trace of a request, by its context. */
export interface Trace {
  readonly failureOf: (ctx: object) => Failure | undefined
  readonly visitsOf: (ctx: object) => readonly Visit[]
}

/** Maximum number of visits of one request: a middleware that rewrites the path can cause any number. */
const MOST_VISITS = 200

/** Make each step of a plan record when it ran, and what it threw. */
export const tracePlan = ({ uses, routes }: TracedPlan, place?: PlaceStep): Trace => {
  const failures = new WeakMap<object, Failure>()
  const visits = new WeakMap<object, Visit[]>()

  const enter = (ctx: object, step: string): Visit => {
    const visit: Visit = { step, begin: performance.now() }
    const list = visits.get(ctx)
    if (list === undefined) visits.set(ctx, [visit])
    else if (list.length < MOST_VISITS) list.push(visit)
    return visit
  }
  const endVisit = <T>(visit: Visit, answer: T): T => {
    visit.end = performance.now()
    return answer
  }
  /** An error passes through every outer step. The first step that sees it is the one that threw it. */
  const note = (ctx: object, visit: Visit, error: unknown, conduct: Conduct): never => {
    endVisit(visit, undefined)
    const known = failures.get(ctx)
    if (known === undefined || known.error !== error) {
      visit.failed = true
      failures.set(ctx, { error, step: visit.step, conduct })
    }
    throw error
  }
  const traced = (step: DevStep, label: string, isHandler = false): DevStep => {
    const run = (ctx: object, rest?: unknown): unknown => {
      const visit = enter(ctx, label)
      let called = false
      let given: unknown
      // Whether it is called tells what a step without a response has forgotten
      const watched = (): unknown => {
        called = true
        const running = (rest as () => unknown)()
        const recordResponse = (response: unknown): void => {
          given = response
        }
        if (running instanceof Promise) running.then(recordResponse, () => {})
        else recordResponse(running)
        return running
      }
      const next = typeof rest === 'function' ? watched : rest
      const conduct = (): Conduct => ({ step, label, isHandler, called, next })
      // A step without a response fails here: outside, the framework would fail in the middleware around it
      const vet = (answer: unknown): unknown => {
        const known = (ctx as { response?: unknown }).response ?? given
        const missing = missingResponse(conduct(), answer, known)
        if (missing !== undefined) throw new TypeError(missing)
        return endVisit(visit, answer)
      }
      try {
        const answer = step(ctx, next)
        if (!(answer instanceof Promise)) return vet(answer)
        return answer.then(vet).catch((error: unknown) => note(ctx, visit, error, conduct()))
      } catch (error) {
        return note(ctx, visit, error, conduct())
      }
    }
    Object.defineProperty(run, 'name', { value: step.name })
    return Object.assign(run, step)
  }
  const middleware = (step: DevStep): DevStep => {
    const { pattern, inner } = step as PlacedStep
    const label = `middleware ${step.name || '(anonymous)'}`
    // The middleware inside runs only for matching paths, and its pattern moves with a base path.
    if (pattern === undefined || inner === undefined || place === undefined) return traced(step, label)
    return place(pattern, traced(inner, `${label} ${pattern}`))
  }
  uses.splice(0, uses.length, ...uses.map(middleware))
  const all = routes.map((route) => ({
    ...route,
    middleware: route.middleware.map(middleware),
    handler: traced(route.handler, `handler of ${route.method} ${route.path}`, true),
  }))
  routes.splice(0, routes.length, ...all)
  return { failureOf: (ctx) => failures.get(ctx), visitsOf: (ctx) => visits.get(ctx) ?? [] }
}

/** Middleware for some paths, as `at` creates it. */
interface PlacedStep extends DevStep {
  readonly pattern?: string
  readonly inner?: DevStep
}
