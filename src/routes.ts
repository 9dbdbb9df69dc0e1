import type { Respond } from './app-context.ts'
import type { Handler, Middleware } from './context.ts'
import { joinPaths } from './internal/pattern.ts'
import { routesBelow } from './mount.ts'
import type { ParamsOf } from './params.ts'
import { type AddsOf, type Plan, type PlannedRoute, type Steps, toRoute, toScope } from './plan.ts'
import type { Scope } from './scope.ts'

/** Registers a route for one method: path, middleware of its own, handler. Gives back the same object. */
export type Register<Known extends object, Env, Self> = <
  const Path extends string,
  const List extends readonly Middleware<any, any, any>[],
>(
  path: Path,
  ...steps: [...List, Handler<Known & AddsOf<List>, ParamsOf<Path>, Env, Respond>]
) => Self

/** Anything that holds a plan: an application, a group, or the plan itself. */
export type HasPlan = { readonly plan: Plan<any, any>; readonly basePath?: string } | Plan<any, any>

/**
 * Routes and middleware being gathered: what `createApp` gives, and what `group` passes to its callback.
 *
 * @typeParam Known what middleware has put in `ctx.state` so far
 */
export interface Routes<Known extends object = {}, Env = any> {
  /** What was gathered so far, as data. */
  readonly plan: Plan<Known, Env>
  /** Add middleware for every request, or with a path for those that its pattern matches (`/admin/*` matches `/admin` as well). */
  use<Adds extends object = {}>(middleware: Middleware<Adds, Known, Respond>): Routes<Known & Adds, Env>
  use<Adds extends object = {}>(path: string, middleware: Middleware<Adds, Known, Respond>): Routes<Known & Adds, Env>
  /** Routes below a prefix, with middleware that stays inside. */
  group(prefix: string, build: (routes: Routes<Known, Env>) => unknown): this
  /** Another application's routes below a prefix and its `basePath`, with its own middleware around them and no other's. */
  mount(prefix: string, app: HasPlan): this
  readonly get: Register<Known, Env, this>
  readonly post: Register<Known, Env, this>
  readonly put: Register<Known, Env, this>
  readonly patch: Register<Known, Env, this>
  readonly delete: Register<Known, Env, this>
  readonly head: Register<Known, Env, this>
  /** OPTIONS; the same as {@link httpOptions}. */
  readonly options: Register<Known, Env, this>
  readonly httpOptions: Register<Known, Env, this>
  /** Every method, those that nobody has heard of included. */
  readonly all: Register<Known, Env, this>
}

/** The method shell over a plan. It alone adds in place, so ten thousand routes are not copied ten thousand times. */
export class RoutesShell {
  readonly plan: { readonly uses: Scope[]; readonly routes: PlannedRoute[] } = { uses: [], routes: [] }

  use(first: string | Middleware, step?: Middleware): this {
    this.plan.uses.push(toScope(first, step))
    return this.changed()
  }

  group(prefix: string, build: (routes: Routes) => unknown): this {
    const inner = new RoutesShell()
    build(inner as unknown as Routes)
    return this.mount(prefix, inner as HasPlan)
  }

  mount(prefix: string, app: HasPlan): this {
    const { plan, basePath = '' } = 'plan' in app ? app : { plan: app }
    this.plan.routes.push(...routesBelow(joinPaths(prefix, basePath), plan))
    return this.changed()
  }

  get(path: string, ...steps: Steps): this {
    return this.on('GET', path, steps)
  }

  post(path: string, ...steps: Steps): this {
    return this.on('POST', path, steps)
  }

  put(path: string, ...steps: Steps): this {
    return this.on('PUT', path, steps)
  }

  patch(path: string, ...steps: Steps): this {
    return this.on('PATCH', path, steps)
  }

  delete(path: string, ...steps: Steps): this {
    return this.on('DELETE', path, steps)
  }

  head(path: string, ...steps: Steps): this {
    return this.on('HEAD', path, steps)
  }

  options(path: string, ...steps: Steps): this {
    return this.on('OPTIONS', path, steps)
  }

  httpOptions(path: string, ...steps: Steps): this {
    return this.on('OPTIONS', path, steps)
  }

  all(path: string, ...steps: Steps): this {
    return this.on('*', path, steps)
  }

  /** Called after every change to the plan. */
  protected changed(): this {
    return this
  }

  private on(method: string, path: string, steps: Steps): this {
    this.plan.routes.push(toRoute(method, path, steps))
    return this.changed()
  }
}
