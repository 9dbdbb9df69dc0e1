import type { Handler, Middleware } from './context.ts'
import { joinPaths, normalizePattern } from './internal/pattern.ts'
import type { ParamsOf } from './params.ts'
import { type Scope, scoped } from './scope.ts'

/** One thing that was added to a plan. */
export type Entry =
  | { readonly kind: 'use'; readonly path: string | undefined; readonly middleware: readonly Middleware[] }
  | RouteEntry
  | { readonly kind: 'mount'; readonly prefix: string; readonly plan: Plan }

/** A route: method `*` is every method. */
export interface RouteEntry {
  readonly kind: 'route'
  readonly method: string
  readonly path: string
  readonly middleware: readonly Middleware[]
  readonly handler: Handler
}

/**
 * An application as data: a list of entries, newest first, each linked to the one before. Steps never change a plan, they return a longer one.
 *
 * @typeParam Known what middleware has put in `ctx.state` so far
 */
export interface Plan<Known extends object = {}, Env = any> {
  readonly entry: Entry | undefined
  readonly before: Plan<any, any> | undefined
  /** Types only: what the entries add up to. */
  readonly types?: { readonly known: Known; readonly env: Env }
}

/** A plan without entries. */
export const blank: Plan = { entry: undefined, before: undefined }

const assertFunction = (step: unknown, what: string): void => {
  if (typeof step !== 'function')
    throw new TypeError(`${what} is ${step === null ? 'null' : typeof step}, not a function`)
}

const add = (plan: Plan<any, any>, entry: Entry): Plan<any, any> => ({ entry, before: plan })

/** The entries of a plan in the order in which they were added. */
export const entriesOf = (plan: Plan<any, any>): Entry[] => {
  const entries: Entry[] = []
  for (let at: Plan<any, any> | undefined = plan; at?.entry; at = at.before) entries.push(at.entry)
  return entries.reverse()
}

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
export const use: Use = (first: string | Middleware<any, any>, ...rest: Middleware<any, any>[]) => {
  const path = typeof first === 'string' ? normalizePattern(first) : undefined
  const middleware = (typeof first === 'string' ? rest : [first, ...rest]) as Middleware[]
  for (const step of middleware) assertFunction(step, 'Middleware')
  return (plan: Plan<any, any>) => add(plan, { kind: 'use', path, middleware })
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
  for (const step of steps) assertFunction(step, `Handler of ${method} ${path}`)
  const handler = steps.at(-1) as unknown as Handler
  const middleware = steps.slice(0, -1) as unknown as Middleware[]
  const entry: Entry = { kind: 'route', method, path: normalizePattern(path), middleware, handler }
  return (plan) => add(plan, entry)
}

/**
 * Add another plan below a prefix. Its middleware stays with its own routes.
 *
 * @example
 * pipe(blank, mount('/api', api), toFetch)
 */
export const mount =
  (prefix: string, mounted: Plan<any, any>) =>
  <Known extends object, Env>(plan: Plan<Known, Env>): Plan<Known, Env> =>
    add(plan, { kind: 'mount', prefix: normalizePattern(prefix), plan: mounted })

/**
 * Add routes below a prefix: `build` gets a plan of its own, whose middleware stays inside.
 *
 * @example
 * pipe(blank, group('/admin', (admin) => pipe(admin, use(guard), route('GET', '/', handler))), toFetch)
 */
export const group =
  <Known extends object, Env>(prefix: string, build: (plan: Plan<Known, Env>) => Plan<any, any>) =>
  (plan: Plan<Known, Env>): Plan<Known, Env> =>
    mount(prefix, build(blank as Plan<any, any>))(plan)

/** A route in its final form: full path, and the middleware of every group around it. */
export type FlatRoute = Omit<RouteEntry, 'kind'>

/** A plan unfolded: prefixes joined, and the middleware of mounted plans moved to their routes. */
export const flatten = (plan: Plan<any, any>, prefix = ''): { uses: Scope[]; routes: FlatRoute[] } => {
  const uses: Scope[] = []
  const routes: FlatRoute[] = []
  for (const entry of entriesOf(plan)) {
    if (entry.kind === 'use') {
      const path = entry.path === undefined ? undefined : joinPaths(prefix, entry.path)
      uses.push(...entry.middleware.map((step) => ({ path, step })))
    } else if (entry.kind === 'route') routes.push({ ...entry, path: joinPaths(prefix, entry.path) })
    else {
      const inner = flatten(entry.plan, joinPaths(prefix, entry.prefix))
      const around = inner.uses.map(scoped)
      for (const found of inner.routes) routes.push({ ...found, middleware: [...around, ...found.middleware] })
    }
  }
  return { uses, routes }
}
