import type { Step, TracedPlan } from './dev/trace.ts'

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

/** Load them, by the subpaths of sluice. */
export const loadRouting = async (load: (subpath: string) => Promise<unknown>): Promise<Routing> => {
  const [at, basePath, toFetch] = await Promise.all(
    ['at', 'base-path', 'to-fetch'].map((name) => load(`sluice/${name}`)),
  )
  return { ...(at as object), ...(basePath as object), ...(toFetch as object) } as Routing
}

/** Methods that an order can be asked for: no `Request` has CONNECT or TRACE. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Whether an order can be asked for a path: it begins with one slash, and is no URL of a host. */
export const isRequestPath = (path: string): boolean => /^\/(?!\/)/.test(path) && URL.canParse(path, 'http://localhost')

interface Placed extends Step {
  readonly pattern?: string
}

/** The name of a step for a reader: of a validator with the part of the request, `validator body`. */
export const labelOf = (name: string, step: object = {}): string => {
  const { describes } = step as { readonly describes?: { readonly source?: string } }
  return [name || '(anonymous)', describes?.source].filter(Boolean).join(' ')
}

/**
 * Find the steps with the router of the project. The plan gets stand-ins for its steps, so no code of the application
 * runs.
 */
export const orderOf = async (
  { at, basePath, toFetch }: Routing,
  { uses, routes }: Pick<TracedPlan, 'uses' | 'routes'>,
  prefix: string,
  method: string,
  path: string,
): Promise<Order> => {
  const middleware: string[] = []
  let found: Pick<Order, 'route' | 'handler' | 'params'> = { route: undefined, handler: '', params: {} }
  const standIn = (step: Placed): Step => {
    const { name, pattern } = step
    const label = labelOf(pattern === undefined ? name : `${name || '(anonymous)'} ${pattern}`, step)
    const noted: Step = (_ctx, next) => {
      middleware.push(label)
      return (next as () => unknown)()
    }
    return pattern === undefined ? noted : at(pattern, noted)
  }
  const plan = {
    uses: uses.filter((step) => !step.name.startsWith('sluiceDev')).map(standIn),
    routes: routes.map((route) => ({
      ...route,
      middleware: route.middleware.map(standIn),
      handler: (ctx: object) => {
        const { params } = ctx as { params: Record<string, string> }
        found = { route: `${route.method} ${prefix}${route.path}`, handler: route.handler.name, params: { ...params } }
        return new Response(null, { status: 204 })
      },
    })),
  }
  await toFetch(basePath(prefix)(plan))(new Request(new URL(path, 'http://localhost'), { method }))
  return { middleware, ...found }
}
