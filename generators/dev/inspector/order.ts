import type { Step, TracedPlan } from '../trace.ts'

/** The steps that a request with a method and path would run, in order. */
export interface Order {
  readonly middleware: readonly string[]
  /** `GET /users/:id`, or undefined if no route matches. */
  readonly route: string | undefined
  readonly handler: string
  readonly params: Readonly<Record<string, string>>
}

/** The routing functions of the project's sluice. */
export interface Routing {
  readonly at: (pattern: string, step: Step) => Step
  readonly basePath: (prefix: string) => (plan: TracedPlan) => TracedPlan
  readonly toFetch: (plan: TracedPlan) => (request: Request) => unknown
}

interface Placed extends Step {
  readonly pattern?: string
}

/**
 * Find the steps with the router of the project. The plan gets stand-ins for its steps, so no code of the application
 * runs.
 */
export const orderOf = async (
  { at, basePath, toFetch }: Routing,
  { uses, routes }: TracedPlan,
  prefix: string,
  method: string,
  path: string,
): Promise<Order> => {
  const middleware: string[] = []
  let found: Pick<Order, 'route' | 'handler' | 'params'> = { route: undefined, handler: '', params: {} }
  const standIns = uses.flatMap((step: Placed) => {
    if (step.name.startsWith('sluiceDev')) return []
    const name = step.name || '(anonymous)'
    const standIn: Step = (_ctx, next) => {
      middleware.push(step.pattern === undefined ? name : `${name} ${step.pattern}`)
      return (next as () => unknown)()
    }
    return [step.pattern === undefined ? standIn : at(step.pattern, standIn)]
  })
  const plan = {
    uses: standIns,
    routes: routes.map((route) => ({
      ...route,
      middleware: [],
      handler: (ctx: object) => {
        const { params } = ctx as { params: Record<string, string> }
        middleware.push(...route.middleware.map((step) => step.name || '(anonymous)'))
        found = { route: `${route.method} ${prefix}${route.path}`, handler: route.handler.name, params: { ...params } }
        return new Response(null, { status: 204 })
      },
    })),
  }
  await toFetch(basePath(prefix)(plan))(new Request(new URL(path, 'http://localhost'), { method }))
  return { middleware, ...found }
}
