import { limitBody } from '#runtime/request'
import type { Respond } from './app-context.ts'
import { at } from './at.ts'
import { basePath } from './base-path.ts'
import type { Handler, Loose, Middleware } from './context.ts'
import type { ShellOptions } from './internal/app-options.ts'
import type { ContextClass, Site } from './internal/context/base-context.ts'
import { type RequestOptions, toRequest } from './internal/context/to-request.ts'
import { checkOption } from './internal/options.ts'
import { routesBelow } from './internal/route/below.ts'
import { checked } from './internal/route/checked.ts'
import { answerBy, answerLostBelow, type OwnAnswers } from './internal/route/own-answers.ts'
import { basePathOf, joinPaths, normalizePattern } from './internal/route/pattern.ts'
import { toRoute } from './internal/route/to-route.ts'
import type { HasPlan } from './internal/types/plan.ts'
import type { Applied, Below, Have, Knows, Register, RoutesOf, Self } from './internal/types/route.ts'
import type { AddMiddleware } from './internal/types/use.ts'
import type { Plan, PlannedRoute, Steps } from './plan.ts'
import { rewrite } from './rewrite.ts'
import { type AppFetch, type FetchOptions, toFetch } from './to-fetch.ts'

export type { HasPlan } from './internal/types/plan.ts'
export type { Register } from './internal/types/route.ts'

/** The type that methods of {@link Routes} give back. */
interface RoutesSelf<Methods> extends Self {
  readonly type: Routes<this['known'], this['env'], Methods, RoutesSelf<Methods>, this['routes']>
}

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
  readonly answers: OwnAnswers
  readonly #options: ShellOptions
  readonly #context: ContextClass | undefined
  #run: AppFetch | undefined

  /** @param context the class of contexts; a group, which answers nothing, has none */
  constructor(options: ShellOptions = {}, context?: ContextClass) {
    const { onError, notFound, refuseMethod, bodyLimit } = options
    this.basePath = basePathOf(options.basePath)
    this.answers = { onError, notFound, refuseMethod, bodyLimit }
    this.#options = options
    this.#context = context
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
    const inner = new RoutesShell({ patterns: this.#options.patterns })
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
    return this.#add(routesBelow(joinPaths(prefix, basePath), { uses, routes: [...plan.routes, ...lost] }))
  }

  get(path: string, ...steps: Steps): this {
    return this.#on('GET', path, steps)
  }

  post(path: string, ...steps: Steps): this {
    return this.#on('POST', path, steps)
  }

  put(path: string, ...steps: Steps): this {
    return this.#on('PUT', path, steps)
  }

  patch(path: string, ...steps: Steps): this {
    return this.#on('PATCH', path, steps)
  }

  delete(path: string, ...steps: Steps): this {
    return this.#on('DELETE', path, steps)
  }

  head(path: string, ...steps: Steps): this {
    return this.#on('HEAD', path, steps)
  }

  options(path: string, ...steps: Steps): this {
    return this.#on('OPTIONS', path, steps)
  }

  httpOptions(path: string, ...steps: Steps): this {
    return this.#on('OPTIONS', path, steps)
  }

  all(path: string, ...steps: Steps): this {
    return this.#on('*', path, steps)
  }

  readonly fetch: AppFetch = (request, bindings, execution) => {
    this.#run ??= this.start()
    return this.#run(request, bindings, execution)
  }

  async request(input: string | URL | Request, init?: RequestOptions, bindings?: unknown): Promise<Response> {
    return this.fetch(toRequest(input, init), bindings)
  }

  /** Called after every change: the plan is compiled with the first request that follows. */
  protected changed(): this {
    this.#run = undefined
    return this
  }

  /** What answers from now on, until the next change. */
  protected start(): AppFetch {
    return this.compile(this.plan as Plan)
  }

  protected compile(plan: Plan, site?: Partial<Site>): AppFetch {
    const whole = { ...plan, context: this.#context, site: { ...this.answers, ...site }, rewrites: rewrite }
    const run = toFetch(basePath(this.basePath)(whole as Plan), this.#options as FetchOptions)
    const { bodyLimit } = this.answers
    if (bodyLimit === undefined) return run
    return (request, bindings, execution) => {
      limitBody(request, bodyLimit)
      return run(request, bindings, execution)
    }
  }

  #on(method: string, path: string, steps: Steps): this {
    return this.#add(this.#options.patterns?.(method, path, steps) ?? [toRoute(method, path, steps)])
  }

  #add(routes: readonly PlannedRoute[]): this {
    for (const { path } of routes) normalizePattern(joinPaths(this.basePath, path))
    this.plan.routes.push(...routes)
    return this.changed()
  }
}
