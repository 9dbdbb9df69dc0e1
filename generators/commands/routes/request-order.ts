import type { PlannedMiddleware } from '../../../src/kernel/plan.ts'
import type { explainRequest, RequestExplanation } from '../../../src/pipe/list-routes.ts'

/** The steps that a request with a method and path would run, in order. */
export interface Order extends Omit<RequestExplanation, 'middleware'> {
  readonly middleware: readonly string[]
  /** What `describe` says about the route in one line. */
  readonly summary: string
}

/** Methods that an order can be asked for: no `Request` has CONNECT or TRACE. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Whether an order can be asked for a path: it begins with one slash, and is no URL of a host. */
export const isRequestPath = (path: string): boolean => /^\/(?!\/)/.test(path) && URL.canParse(path, 'http://localhost')

/**
 * The name of a step for a reader: with its path, and of a validator with the part of the request, `validator body`.
 */
export const labelOf = ({ name, pattern, inner, describes }: PlannedMiddleware): string =>
  [name || '(anonymous)', pattern, (inner ?? { describes }).describes?.source].filter(Boolean).join(' ')

/** The summary that `describe` gives a route, for a handler that has no name. */
export const summaryOf = (steps: readonly PlannedMiddleware[]): string =>
  steps.map(({ describes }) => (describes?.operation as { summary?: string })?.summary).findLast(Boolean) ?? ''

type Plan = Parameters<typeof explainRequest>[0]

/** Find the steps of a request in the chains that the project's sluice composes. No code of the application runs. */
export const orderOf = (
  explain: typeof explainRequest,
  { plan, basePath }: { readonly plan: object; readonly basePath: string },
  method: string,
  path: string,
): Order => {
  const { pathname } = new URL(path, 'http://localhost')
  const { middleware, ...explanation } = explain(plan as Plan, method, pathname, basePath)
  const labels = middleware.filter(({ name }) => !name.startsWith('sluiceDev')).map(labelOf)
  return { ...explanation, middleware: labels, summary: summaryOf(middleware) }
}
