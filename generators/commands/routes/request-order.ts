import type { explainRequest, RequestExplanation, routesWithMiddleware } from '../../../src/pipe/list-routes.ts'

/** The steps that a request with a method and path would run, in order. */
export interface Order extends Omit<RequestExplanation, 'middleware'> {
  readonly middleware: readonly string[]
  /** What `describe` says about the route in one line. */
  readonly summary: string
}

/** The module `sluice/pipe` of the project. */
export interface Routing {
  readonly routesWithMiddleware: typeof routesWithMiddleware
  readonly explainRequest: typeof explainRequest
}

type Plan = Parameters<typeof explainRequest>[0]

/** Load it, by the subpaths of sluice. */
export const loadRouting = (load: (subpath: string) => Promise<unknown>): Promise<Routing> =>
  load('sluice/pipe') as Promise<Routing>

/** Methods that an order can be asked for: no `Request` has CONNECT or TRACE. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Whether an order can be asked for a path: it begins with one slash, and is no URL of a host. */
export const isRequestPath = (path: string): boolean => /^\/(?!\/)/.test(path) && URL.canParse(path, 'http://localhost')

/**
 * The name of a step for a reader: with its path, and of a validator with the part of the request, `validator body`.
 */
export const labelOf = (step: object): string => {
  const { name, pattern, inner, describes } = step as DescribedStep
  return [name || '(anonymous)', pattern, (inner ?? { describes }).describes?.source].filter(Boolean).join(' ')
}

/** The summary that `describe` gives a route, for a handler that has no name. */
export const summaryOf = (steps: readonly object[]): string =>
  (steps as readonly DescribedStep[]).map(({ describes }) => describes?.operation?.summary).findLast(Boolean) ?? ''

interface DescribedStep {
  readonly name: string
  readonly pattern?: string
  readonly inner?: DescribedStep
  readonly describes?: { readonly source?: string; readonly operation?: { readonly summary?: string } }
}

/** Find the steps of a request in the chains that the project's sluice composes. No code of the application runs. */
export const orderOf = (
  { explainRequest }: Routing,
  plan: object,
  prefix: string,
  method: string,
  path: string,
): Order => {
  const { pathname } = new URL(path, 'http://localhost')
  const { middleware, ...found } = explainRequest(plan as Plan, method, pathname, prefix)
  const labels = middleware.filter(({ name }) => !name.startsWith('sluiceDev')).map(labelOf)
  return { ...found, middleware: labels, summary: summaryOf(middleware) }
}

/** The middleware of each route, in the order of `app.routes()`. */
export const stepsOf = ({ routesWithMiddleware }: Routing, plan: object): readonly (readonly object[])[] =>
  routesWithMiddleware(plan as Plan).map(({ middleware }) => middleware)
