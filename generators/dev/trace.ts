import type { DevStep, PlaceStep, TracedPlan } from './application.ts'

/** What was thrown, and the innermost step that threw it. */
export interface Failure {
  readonly error: unknown
  readonly step: string
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

/** Make each step of a plan record when it ran, and what it threw. */
export const tracePlan = ({ uses, routes }: TracedPlan, place?: PlaceStep): Trace => {
  const failures = new WeakMap<object, Failure>()
  const visits = new WeakMap<object, Visit[]>()

  const enter = (ctx: object, step: string): Visit => {
    const visit: Visit = { step, begin: performance.now() }
    const list = visits.get(ctx)
    if (list === undefined) visits.set(ctx, [visit])
    else list.push(visit)
    return visit
  }
  /** An error passes through every outer step. The first step that sees it is the one that threw it. */
  const note = (ctx: object, visit: Visit, error: unknown): never => {
    visit.end = performance.now()
    const failure = failures.get(ctx)
    if (failure === undefined || failure.error !== error) {
      visit.failed = true
      failures.set(ctx, { error, step: visit.step })
    }
    throw error
  }
  const traced = (step: DevStep, label: string): DevStep => {
    const run = (ctx: object, next?: unknown): unknown => {
      const visit = enter(ctx, label)
      // A step without a response fails here: outside, the framework would fail in the middleware around it, or in none
      const leave = (answer: unknown): unknown => {
        const { headers } = Object(answer ?? (ctx as { response?: unknown }).response) as Partial<Response>
        if (typeof headers?.get !== 'function')
          throw new TypeError(`${label} returned ${answer === null ? 'null' : typeof answer} instead of a Response`)
        visit.end = performance.now()
        return answer
      }
      try {
        const answer = step(ctx, next)
        if (!(answer instanceof Promise)) return leave(answer)
        return answer.then(leave).catch((error: unknown) => note(ctx, visit, error))
      } catch (error) {
        return note(ctx, visit, error)
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
    handler: traced(route.handler, `handler of ${route.method} ${route.path}`),
  }))
  routes.splice(0, routes.length, ...all)
  return { failureOf: (ctx) => failures.get(ctx), visitsOf: (ctx) => visits.get(ctx) ?? [] }
}

/** Middleware for some paths, as `at` creates it. */
interface PlacedStep extends DevStep {
  readonly pattern?: string
  readonly inner?: DevStep
}
