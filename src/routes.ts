import type { Respond } from './app-context.ts'
import { at } from './at.ts'
import type { Handler, Loose, Middleware } from './context.ts'
import { checkOption } from './internal/options.ts'
import { answerBy, answerLostBelow, type OwnAnswers } from './internal/route/own-answers.ts'
import { joinPaths, normalizePattern } from './internal/route/pattern.ts'
import { routesBelow } from './mount.ts'
import { checked, type Plan, type PlannedRoute, type Steps, type ToRoutes, toRoute } from './plan.ts'
import type { Applied, Below, Have, Knows, Register, RoutesOf, Self } from './route-types.ts'
import type { AddMiddleware } from './use-types.ts'

export type { Register } from './route-types.ts'

/** The type that methods of {@link Routes} give back. */
interface RoutesSelf<Methods> extends Self {
  readonly type: Routes<this['known'], this['env'], Methods, RoutesSelf<Methods>, this['routes']>
}

/** Anything that holds a plan: an application, a group, or the plan itself. */
export type HasPlan =
  | {
      readonly plan: Plan<any, any>
      readonly basePath?: string
      /** What an application was made with that it keeps when it is mounted. */
      readonly answers?: OwnAnswers
    }
  | Plan<any, any>

/**
 * Routes and middleware being gathered: what `createApp` gives, and what `group` passes to its callback.
 *
 * @typeParam Known what middleware has put in `ctx.state` so far
 * @typeParam Methods what the context has beside the common part
 * @typeParam R the routes that were chained, for `sluice/client`
 */
export interface Routes<Known = Loose, Env = any, Methods = Respond, S extends Self = RoutesSelf<Methods>, R = any>
  extends Knows<R> {
  /** What was gathered so far, as data. */
  readonly plan: Plan<Known, Env, R>
  /**
   * Add middleware for every request, or with a path for those that its pattern matches. `/admin/*` includes `/admin`.
   */
  readonly use: AddMiddleware<Known, Have<Known>, Env, Methods, S, R>
  /** Routes below a prefix, with middleware that stays inside. */
  group<R, const Prefix extends string, Built>(
    this: Knows<R>,
    prefix: Prefix,
    build: (routes: Routes<Known, Env, Methods, RoutesSelf<Methods>, never>) => Built,
  ): Applied<S, Known, Env, R | Below<Prefix, RoutesOf<Built>>>
  /**
   * Another application's routes below a prefix and its `basePath`. They keep their own middleware, and the
   * application's `onError`, `notFound`, `methodNotAllowed` and `bodyLimit` hold below the prefix. Middleware of this
   * application runs before it. A parameter of the prefix cannot have the name of one in a route below.
   */
  mount<R, const Prefix extends string, Mounted extends HasPlan>(
    this: Knows<R>,
    prefix: Prefix,
    app: Mounted,
  ): Applied<S, Known, Env, R | Below<Prefix, RoutesOf<Mounted>>>
  readonly get: Register<'GET', Known, Have<Known>, Env, Methods, S>
  readonly post: Register<'POST', Known, Have<Known>, Env, Methods, S>
  readonly put: Register<'PUT', Known, Have<Known>, Env, Methods, S>
  readonly patch: Register<'PATCH', Known, Have<Known>, Env, Methods, S>
  readonly delete: Register<'DELETE', Known, Have<Known>, Env, Methods, S>
  readonly head: Register<'HEAD', Known, Have<Known>, Env, Methods, S>
  /** OPTIONS; the same as {@link httpOptions}. */
  readonly options: Register<'OPTIONS', Known, Have<Known>, Env, Methods, S>
  readonly httpOptions: Register<'OPTIONS', Known, Have<Known>, Env, Methods, S>
  /** Every method, those that nobody has heard of included. */
  readonly all: Register<'*', Known, Have<Known>, Env, Methods, S>
}

/** The method shell over a plan. It alone adds in place, so ten thousand routes are not copied ten thousand times. */
export class RoutesShell {
  readonly plan: { readonly uses: Middleware[]; readonly routes: PlannedRoute[] } = { uses: [], routes: [] }
  readonly basePath: string
  readonly #patterns: ToRoutes | undefined

  /** @param patterns what `sluice/patterns` exports, if paths may have them */
  constructor(basePath = '', patterns?: ToRoutes) {
    this.basePath = basePath
    this.#patterns = patterns
  }

  use(...args: readonly (string | Middleware)[]): this {
    const [path] = args
    const added = (typeof path === 'string' ? args.slice(1) : args).map(checked) as Middleware[]
    if (!added.length) checked(undefined)
    this.plan.uses.push(...(typeof path === 'string' ? added.map((middleware) => at(path, middleware)) : added))
    return this.changed()
  }

  group(prefix: string, build: (routes: Routes) => unknown): this {
    checkOption(typeof build === 'function', 'group', 'a function', build)
    const inner = new RoutesShell('', this.#patterns)
    build(inner as unknown as Routes)
    return this.mount(prefix, inner as unknown as HasPlan)
  }

  mount(prefix: string, app: HasPlan): this {
    checkOption(typeof prefix === 'string', 'mount: prefix', 'a path', prefix)
    checkOption(Object(app) === app && ('plan' in app || app.routes), 'mount', 'an application or a plan', app)
    const { plan, basePath = '', answers = {} } = 'plan' in app ? app : { plan: app }
    const own = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined)) as OwnAnswers
    const { notFound, refuseMethod } = own
    const uses = Object.keys(own).length ? [answerBy(own) as Middleware, ...plan.uses] : plan.uses
    const lost = notFound || refuseMethod ? [toRoute('*', '/*', [answerLostBelow as Handler])] : []
    const below = routesBelow(joinPaths(prefix, basePath), { uses, routes: [...plan.routes, ...lost] })
    for (const { path } of below) normalizePattern(joinPaths(this.basePath, path))
    this.plan.routes.push(...below)
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
    const planned = this.#patterns?.(method, path, steps) ?? [toRoute(method, path, steps)]
    for (const route of planned) normalizePattern(joinPaths(this.basePath, route.path))
    this.plan.routes.push(...planned)
    return this.changed()
  }
}
