/** The methods of an application. Invariant: each changes the plan in place, and the next request compiles it. */
import { DEV } from '#mode'
import { limitBody } from '#runtime/core'
import type { CheckedAppOptions } from '../internal/options/app-options.ts'
import { checkOption } from '../internal/options/check.ts'
import { basePathOf, joinPaths, normalizePattern } from '../internal/route/pattern.ts'
import type { AddMiddleware } from '../internal/types/add-middleware.ts'
import type { AnyEnv, AnyState, Middleware } from '../internal/types/context.ts'
import type { PlanSource, ToRoutes } from '../internal/types/plan.ts'
import type { Below, HasRoutes, RouteMethod, RoutesOf, Self, SelfOf, StateNeeds } from '../internal/types/route.ts'
import type { AppSettings, ContextClass, MountSettings } from '../internal/types/settings.ts'
import { type AppFetch, type FetchOptions, toFetch } from '../kernel/fetch.ts'
import { checkSteps, type HandlerList, type Plan, type PlannedRoute, requireFunction, toRoute } from '../kernel/plan.ts'
import { at, basePath, mountRoutes } from '../kernel/scope.ts'
import type { Respond } from './context.ts'

export type { PlanSource } from '../internal/types/plan.ts'
export type { Route, RouteMethod } from '../internal/types/route.ts'

/** The options of `createApp` of `sluice` and of `sluice/tiny`. */
export interface RoutesOptions<Ctx> extends FetchOptions<Ctx> {
  /** Prefix of all routes, matched at a segment boundary. @default '' */
  readonly basePath?: string
  /** Allows paths with `:id?` and `:id{[0-9]+}`: pass `patterns` of `sluice/router/patterns`. @default none */
  readonly patterns?: ToRoutes
  /** Maximum size of a body that the readers of the context accept, in bytes. @default 1048576 */
  readonly bodyLimit?: number
}

type RequestOptions = ConstructorParameters<typeof Request>[1]

/** The methods that handle the requests of an application. */
export interface RequestMethods<Env> {
  /** Handle a request. Bound, so it can be passed to a server or a worker; never throws or rejects. */
  readonly fetch: AppFetch<Env>
  /**
   * Send a request to the application in a test: like `fetch`, but with the arguments of `new Request`, and it always
   * returns a promise. A string that does not begin with `http://` or `https://` is a path of this application.
   * @example
   * const response = await app.request('/users', { method: 'POST', body: '{}' })
   */
  request(input: string | URL | Request, init?: RequestOptions, env?: Env): Promise<Response>
}

interface RoutesSelf<Methods, Prefix extends string = string> extends Self {
  readonly type: Routes<this['known'], this['env'], Methods, RoutesSelf<Methods, Prefix>, this['routes']>
  readonly prefix: Prefix
}

/**
 * Collects routes and middleware: the base of what `createApp` returns, and what `group` passes to its callback.
 *
 * @typeParam Known the keys that middleware has declared in `ctx.state` so far
 * @typeParam Methods the methods that this door adds to the context, such as `ctx.json()`
 * @typeParam R the chained routes, for `sluice/client`
 */
export interface Routes<
  Known = AnyState,
  Env = AnyEnv,
  Methods = Respond,
  S extends Self = RoutesSelf<Methods>,
  R = any,
> extends HasRoutes<R> {
  /** What was collected so far, as data. */
  readonly plan: Plan<Known, Env, R>
  /** Add middleware for every request, or with a pattern for the paths that match. `/admin/*` includes `/admin`. */
  readonly use: AddMiddleware<Known, StateNeeds<Known>, Env, Methods, S, R>
  /** Add routes below a prefix, with middleware that applies only to them. */
  group<R, const Prefix extends string, Built>(
    this: HasRoutes<R>,
    prefix: Prefix,
    build: (routes: Routes<Known, Env, Methods, RoutesSelf<Methods, `${S['prefix']}/${Prefix}`>, never>) => Built,
  ): SelfOf<S, Known, Env, R | Below<Prefix, RoutesOf<Built>>>
  /**
   * Add another application's routes below a prefix and its own `basePath`. They keep their middleware, which runs for
   * no other route, behind that of this application, and their `onError`, `onRefusal`, `notFound`, `methodNotAllowed`
   * and `bodyLimit`.
   * @throws {TypeError} for a parameter of the prefix that a route has too, and for middleware without any route.
   */
  mount<R, const Prefix extends string, Mounted extends PlanSource>(
    this: HasRoutes<R>,
    prefix: Prefix,
    app: Mounted,
  ): SelfOf<S, Known, Env, R | Below<Prefix, RoutesOf<Mounted>>>
  readonly get: RouteMethod<'GET', Known, StateNeeds<Known>, Env, Methods, S>
  readonly post: RouteMethod<'POST', Known, StateNeeds<Known>, Env, Methods, S>
  readonly put: RouteMethod<'PUT', Known, StateNeeds<Known>, Env, Methods, S>
  readonly patch: RouteMethod<'PATCH', Known, StateNeeds<Known>, Env, Methods, S>
  readonly delete: RouteMethod<'DELETE', Known, StateNeeds<Known>, Env, Methods, S>
  readonly head: RouteMethod<'HEAD', Known, StateNeeds<Known>, Env, Methods, S>
  /** OPTIONS; the same as {@link httpOptions}. */
  readonly options: RouteMethod<'OPTIONS', Known, StateNeeds<Known>, Env, Methods, S>
  /** An alias of {@link options}. */
  readonly httpOptions: RouteMethod<'OPTIONS', Known, StateNeeds<Known>, Env, Methods, S>
  /** Every method, including unknown ones. */
  readonly all: RouteMethod<'*', Known, StateNeeds<Known>, Env, Methods, S>
}

type Registration<App> = (path: string, ...steps: HandlerList) => App

/** Registration methods that change one plan in place: a new plan for each route would take quadratic time. */
export class RouteMethods {
  readonly plan: { readonly uses: Middleware[]; readonly routes: PlannedRoute[] } = { uses: [], routes: [] }
  readonly settings: MountSettings
  readonly basePath: string
  readonly #options: CheckedAppOptions
  readonly #context: ContextClass | undefined
  #run: AppFetch | undefined

  /** @param context the class of contexts; a group, which handles no requests, has none */
  constructor(options: CheckedAppOptions = {}, context?: ContextClass) {
    const { onError, onRefusal, notFound, methodNotAllowed, bodyLimit } = options
    checkOption((bodyLimit ?? 0) >= 0, 'createApp: bodyLimit', 'a number of bytes', bodyLimit)
    const limit = bodyLimit === undefined ? bodyLimit : (request: Request) => limitBody(request, bodyLimit)
    const settings = Object.entries({ onError, onRefusal, notFound, methodNotAllowed, limit })
    this.settings = Object.fromEntries(settings.filter(([, setting]) => setting !== undefined))
    this.basePath = basePathOf(options.basePath)
    this.#options = options
    this.#context = context
  }

  use(...args: readonly (string | Middleware)[]): this {
    const [path, ...rest] = args
    const added = typeof path === 'string' ? rest.map((one) => at(path, one as Middleware)) : args
    if (DEV) checkSteps(added.length ? added : [undefined], 'use')
    this.plan.uses.push(...(added.map(requireFunction) as Middleware[]))
    return this.changed()
  }

  group(prefix: string, build: (routes: Routes) => unknown): this {
    if (DEV) checkOption(typeof build === 'function', 'group', 'a function', build)
    const inner = new RouteMethods({ patterns: this.#options.patterns })
    build(inner as never)
    return this.mount(prefix, inner)
  }

  mount(prefix: string, app: PlanSource): this {
    if (DEV) {
      checkOption(typeof prefix === 'string', 'mount: prefix', 'a path', prefix)
      checkOption(Object(app) === app && ('plan' in app || app.routes), 'mount', 'an application or a plan', app)
    }
    const { plan, basePath = '', settings = {} } = 'plan' in app ? app : { plan: app }
    return this.add(mountRoutes(joinPaths(prefix, basePath), plan, settings))
  }

  readonly get: Registration<this> = this.#on('GET')
  readonly post: Registration<this> = this.#on('POST')
  readonly put: Registration<this> = this.#on('PUT')
  readonly patch: Registration<this> = this.#on('PATCH')
  readonly delete: Registration<this> = this.#on('DELETE')
  readonly head: Registration<this> = this.#on('HEAD')
  readonly options: Registration<this> = this.#on('OPTIONS')
  readonly httpOptions: Registration<this> = this.#on('OPTIONS')
  readonly all: Registration<this> = this.#on('*')

  readonly fetch: AppFetch = (request, env, execution) => {
    this.#run ??= this.start()
    return this.#run(request, env, execution)
  }

  async request(input: string | URL | Request, init?: RequestOptions, env?: unknown): Promise<Response> {
    // `//evil.example` is a path of this application, not another host
    const isPath = typeof input === 'string' && !/^https?:\/\//i.test(input)
    return this.fetch(new Request(isPath ? `http://localhost/${input.replace(/^\//, '')}` : input, init), env)
  }

  protected changed(): this {
    this.#run = undefined
    return this
  }

  protected start(): AppFetch {
    return this.compile(this.plan as Plan)
  }

  protected compile(plan: Plan, more?: Partial<AppSettings>): AppFetch {
    const { basePath: prefix } = this
    const settings = { basePath: prefix, ...this.settings, ...more } as AppSettings
    const { strict } = this.#options
    return toFetch({ ...basePath(prefix)(plan), context: this.#context, settings } as Plan, { strict } as FetchOptions)
  }

  #on(method: string): Registration<this> {
    return (path, ...steps) => this.add(this.#options.patterns?.(method, path, steps) ?? [toRoute(method, path, steps)])
  }

  protected add(routes: readonly PlannedRoute[]): this {
    // Throws if the prefix and a path have a parameter with the same name
    if (DEV) for (const { path } of routes) normalizePattern(joinPaths(this.basePath, path))
    this.plan.routes.push(...routes)
    return this.changed()
  }
}
