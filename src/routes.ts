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
export type { Register, Route } from './internal/types/route.ts'

/** The return type of methods of {@link Routes}. */
interface RoutesSelf<Methods, Prefix extends string = string> extends Self {
  readonly type: Routes<this['known'], this['env'], Methods, RoutesSelf<Methods, Prefix>, this['routes']>
  readonly prefix: Prefix
}

/**
 * Collects routes and middleware: the base of what `createApp` returns, and what `group` passes to its callback.
 *
 * @typeParam Known the keys that middleware has declared in `ctx.state` so far
 * @typeParam Methods what the context has in addition to the common part
 * @typeParam R the chained routes, for `sluice/client`
 */
export interface Routes<Known = Loose, Env = any, Methods = Respond, S extends Self = RoutesSelf<Methods>, R = any>
  extends Knows<R> {
  /** What was collected so far, as data. */
  readonly plan: Plan<Known, Env, R>
  /**
   * Add middleware for every request, or with a path for those that its pattern matches. `/admin/*` includes `/admin`.
   */
  readonly use: AddMiddleware<Known, Have<Known>, Env, Methods, S, R>
  /** Add routes below a prefix, with middleware that applies only to them. */
  group<R, const Prefix extends string, Built>(
    this: Knows<R>,
    prefix: Prefix,
    build: (routes: Routes<Known, Env, Methods, RoutesSelf<Methods, `${S['prefix']}/${Prefix}`>, never>) => Built,
  ): Applied<S, Known, Env, R | Below<Prefix, RoutesOf<Built>>>
  /**
   * Add another application's routes below a prefix and its own `basePath`. They keep their middleware, and that
   * application's `onError`, `notFound`, `methodNotAllowed` and `bodyLimit` apply below the prefix. Middleware of this
   * application runs first. The prefix and a route below it cannot both have a parameter with the same name.
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
  /** Every method, including unknown ones. */
  readonly all: Register<'*', Known, Have<Known>, Env, Methods, S>
}

/**
 * Methods over a plan. Only this class adds in place, so that ten thousand routes are not copied ten thousand times.
 */
export class RoutesShell {
  readonly plan: { readonly uses: Middleware[]; readonly routes: PlannedRoute[] } = { uses: [], routes: [] }
  readonly basePath: string
  readonly answers: OwnAnswers
  readonly #options: ShellOptions
  readonly #context: ContextClass | undefined
  #run: AppFetch | undefined

  /** @param context the class of contexts; a group, which handles no requests, has none */
  constructor(options: ShellOptions = {}, context?: ContextClass) {
    const { onError, notFound, methodNotAllowed, bodyLimit } = options
    this.basePath = basePathOf(options.basePath)
    this.answers = { onError, notFound, methodNotAllowed, bodyLimit }
    this.#options = options
    this.#context = context
  }

  use(...args: readonly (string | Middleware)[]): this {
    const [path, ...rest] = args
    const added =
      typeof path === 'string' ? rest.map((middleware) => at(path, middleware as Middleware)) : args.map(checked)
    if (!added.length) checked(undefined)
    this.plan.uses.push(...(added as Middleware[]))
    return this.changed()
  }

  group(prefix: string, build: (routes: Routes) => unknown): this {
    checkOption(typeof build === 'function', 'group', 'a function', build)
    const inner = new RoutesShell({ patterns: this.#options.patterns })
    build(inner as Routes)
    return this.mount(prefix, inner as HasPlan)
  }

  mount(prefix: string, app: HasPlan): this {
    checkOption(typeof prefix === 'string', 'mount: prefix', 'a path', prefix)
    checkOption(Object(app) === app && ('plan' in app || app.routes), 'mount', 'an application or a plan', app)
    const { plan, basePath = '', answers = {} } = 'plan' in app ? app : { plan: app }
    const own = Object.entries(answers).filter(([, answer]) => answer !== undefined)
    const { onError, notFound, methodNotAllowed } = answers
    const around = own.length ? [answerBy(Object.fromEntries(own)) as Middleware] : []
    const lost =
      notFound || methodNotAllowed || onError?.everyRefusal ? [toRoute('*', '/*', [answerLostBelow as Handler])] : []
    const added = routesBelow(joinPaths(prefix, basePath), [...plan.routes, ...lost], [...around, ...plan.uses])
    return this.#add(added.map((route) => ({ ...route, answers: [...around, ...(route.answers ?? [])] })))
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
    const { bodyLimit } = this.answers
    if (bodyLimit !== undefined) limitBody(request, bodyLimit)
    this.#run ??= this.start()
    return this.#run(request, bindings, execution)
  }

  async request(input: string | URL | Request, init?: RequestOptions, bindings?: unknown): Promise<Response> {
    return this.fetch(toRequest(input, init), bindings)
  }

  /** Called after every change: the plan is compiled at the next request. */
  protected changed(): this {
    this.#run = undefined
    return this
  }

  /** The function that handles requests, until the next change. */
  protected start(): AppFetch {
    return this.compile(this.plan as Plan)
  }

  protected compile(plan: Plan, site?: Partial<Site>): AppFetch {
    const whole = { ...plan, context: this.#context, site: { ...this.answers, ...site }, rewrites: rewrite }
    return toFetch(basePath(this.basePath)(whole as Plan), this.#options as FetchOptions)
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
