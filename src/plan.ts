import type { Handler, Middleware } from './context.ts'
import { normalizePattern } from './internal/pattern.ts'
import type { ParamsOf } from './params.ts'
import type { Scope } from './scope.ts'

/** A route: method `*` is every method. */
export interface PlannedRoute {
  readonly method: string
  readonly path: string
  readonly middleware: readonly Middleware[]
  readonly handler: Handler
}

/**
 * An application as data: middleware and routes in the order in which they were added. Steps never change a plan, they return a longer one.
 *
 * @typeParam Known what middleware has put in `ctx.state` so far
 */
export interface Plan<Known extends object = {}, Env = any> {
  readonly uses: readonly Scope[]
  readonly routes: readonly PlannedRoute[]
  /** Types only: what the steps add up to. */
  readonly types?: { readonly known: Known; readonly env: Env }
}

/** A plan without anything. */
export const blank: Plan = { uses: [], routes: [] }

/** What middleware in a list adds to `ctx.state`, together. */
export type AddsOf<List extends readonly unknown[]> = List extends readonly []
  ? {}
  : List[number] extends Middleware<infer Adds, any, any>
    ? Adds
    : {}

/** Step that adds middleware for every request, or for the paths that a pattern matches. */
export interface Use {
  <Adds extends object = {}, Needs extends object = {}>(
    middleware: Middleware<Adds, Needs>,
  ): <Known extends Needs, Env>(plan: Plan<Known, Env>) => Plan<Known & Adds, Env>
  <Adds extends object = {}, Needs extends object = {}>(
    path: string,
    middleware: Middleware<Adds, Needs>,
  ): <Known extends Needs, Env>(plan: Plan<Known, Env>) => Plan<Known & Adds, Env>
}

/**
 * Add middleware. With a path it runs where the pattern matches (`/admin/*` matches `/admin` as well).
 *
 * @throws {TypeError} when something that is not a function is given.
 * @example
 * pipe(blank, use(cors()), use('/admin/*', bearerAuth({ verify })), toFetch)
 */
export const use: Use = (first: string | Middleware<any, any>, step?: Middleware<any, any>) => {
  const scope = toScope(first, step)
  return ({ uses, routes }: Plan<any, any>) => ({ uses: [...uses, scope], routes })
}

/**
 * Add a route, with middleware of its own before the handler.
 *
 * @param method upper case; `*` is every method
 * @throws {TypeError} for a path that is no pattern, or a handler that is no function.
 * @example
 * pipe(blank, route('GET', '/users/:id', (ctx) => text(ctx.params.id)), toFetch)
 */
export const route = <
  Known extends object,
  const Path extends string,
  const List extends readonly Middleware<any, any>[],
  Env = any,
>(
  method: string,
  path: Path,
  ...steps: readonly [...List, Handler<Known & AddsOf<List>, ParamsOf<Path>, Env>]
): ((plan: Plan<Known, Env>) => Plan<Known, Env>) => {
  const planned = toRoute(method, path, steps as unknown as Steps)
  return ({ uses, routes }) => ({ uses, routes: [...routes, planned] })
}

/** Middleware of a route, then its handler. */
export type Steps = readonly [...Middleware[], Handler]

/** What {@link use} adds, checked. */
export const toScope = (first: string | Middleware, step?: Middleware): Scope =>
  typeof first === 'string'
    ? { path: normalizePattern(first), step: checked(step) }
    : { path: undefined, step: checked(first) }

/** What {@link route} adds, checked. */
export const toRoute = (method: string, path: string, steps: Steps): PlannedRoute => ({
  method,
  path: normalizePattern(path),
  middleware: steps.slice(0, -1).map(checked) as unknown as Middleware[],
  handler: checked(steps.at(-1)) as unknown as Handler,
})

const checked = <Step>(step: Step): NonNullable<Step> => {
  if (typeof step !== 'function') throw new TypeError(`${step} is neither handler nor middleware`)
  return step
}
