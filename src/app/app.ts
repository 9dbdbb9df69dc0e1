/** Invariant: an application is a plan with a container, and handles requests by `toFetch` of that plan. */
import { DEV } from '#mode'
import { createServers } from '#runtime/core'
import { Container } from '../container/container.ts'
import { env } from '../env/env.ts'
import { setFacadeContainer } from '../internal/container/facade-root.ts'
import { createLifecycle, type Lifecycle } from '../internal/container/lifecycle.ts'
import { type CheckedAppOptions, checkAppOptions } from '../internal/options/app-options.ts'
import { checkOption } from '../internal/options/check.ts'
import type { AnyEnv, AnyState } from '../internal/types/context.ts'
import type { PlanSource } from '../internal/types/plan.ts'
import type { Self } from '../internal/types/route.ts'
import type { AppFetch } from '../kernel/fetch.ts'
import type { Plan } from '../kernel/plan.ts'
import { listRoutes, type RouteInfo } from '../pipe/list-routes.ts'
import { bindConfig, bindMiddleware, bindRouter } from '../provider/built-in.ts'
import type { Provider, ProviderClass } from '../provider/service-provider.ts'
import type { ListenOptions, ServerHandle } from '../runtime/serve-contract.ts'
import { type AppContext, AppRequestContext, type Respond } from './context.ts'
import { type RequestMethods, RouteMethods, type Routes, type RoutesOptions } from './routes.ts'

/** Options of {@link createApp}. */
export interface AppOptions<Env = AnyEnv> extends RoutesOptions<AppContext<AnyState, Record<string, string>, Env>> {
  /** Settings in the `config` entry of the container: `config.get('database.url')`. @default {} */
  readonly config?: Readonly<Record<string, unknown>>
}

/**
 * An application: routes and middleware, the container, and the methods `fetch` and `listen`.
 *
 * @typeParam Known the keys that middleware has declared in `ctx.state` so far
 * @typeParam Env values on edge runtimes
 * @typeParam R the chained routes, for `sluice/client`
 */
export interface App<Known = AnyState, Env = AnyEnv, R = any>
  extends Routes<Known, Env, Respond, AppSelf, R>,
    RequestMethods<Env> {
  /** The application's container. */
  readonly container: Container
  /** Prefix of all routes, without a trailing slash; empty if there is none. */
  readonly basePath: string
  /** Add a service provider: a class, or an object with `register`, `boot`, `shutdown`. */
  register(provider: ProviderClass<App> | Provider): this
  /** Resolves when every provider has booted; rejects with the error of a provider. */
  ready(): Promise<void>
  /**
   * Serve on Node, Bun or Deno. Resolves once the port is bound and the providers have booted.
   * @throws the system's error if the port cannot be bound, and the error of a provider.
   */
  listen(port?: number | ListenOptions, callback?: (port: number) => void): Promise<ServerHandle>
  /** Stop listening, let requests finish, then shut the providers down in reverse order. Runs only once. */
  close(): Promise<void>
  /** The registered routes, with duplicates marked. */
  routes(): RouteInfo[]
}

interface AppSelf extends Self {
  readonly type: App<this['known'], this['env'], this['routes']>
  readonly prefix: ''
}

/**
 * Create an application.
 *
 * @example
 * const app = createApp().get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
 * await app.listen(3000)
 */
export const createApp = <Env = AnyEnv, Known = AnyState>(options: AppOptions<Env> = {}): App<Known, Env, never> =>
  new Application(options as AppOptions) as unknown as App<Known, Env, never>

class Application extends RouteMethods {
  readonly container: Container = new Container()
  readonly #lifecycle: Lifecycle<App>
  readonly #servers = createServers()
  #providerCount = 0

  constructor(options: AppOptions) {
    checkAppOptions(options, 'config:object')
    super(options as CheckedAppOptions, AppRequestContext)
    const app = this as App
    this.#lifecycle = createLifecycle(app)
    bindRouter(app)
    bindMiddleware(app)
    bindConfig(app, options.config)
    setFacadeContainer(this.container)
  }

  register(provider: ProviderClass<App> | Provider): this {
    // An import cycle makes a provider `undefined`. It would fail only at the start, and keep later ones from starting
    if (DEV) checkOption(provider, 'register', 'a class or an object', provider)
    this.changed()
    if (DEV) this.#providerCount++
    this.#lifecycle.register(provider)
    return this
  }

  override mount(prefix: string, app: PlanSource): this {
    // Providers of a mounted application would neither start nor stop
    if (DEV) {
      const providerCount = app instanceof Application && app.#providerCount
      checkOption(!providerCount, 'mount: providers', 'none: register them on the outer application', providerCount)
    }
    return super.mount(prefix, app)
  }

  async ready(): Promise<void> {
    await this.#lifecycle.ready()
  }

  listen(port?: number | ListenOptions, callback?: (port: number) => void): Promise<ServerHandle> {
    return this.#servers.listen(this, port, callback)
  }

  async close(): Promise<void> {
    try {
      await this.#servers.close()
    } finally {
      await this.#lifecycle.shutdown()
    }
  }

  routes(): RouteInfo[] {
    return listRoutes(this.plan, this.basePath)
  }

  protected override start(): AppFetch {
    const booting = this.#lifecycle.ready()
    if (booting) {
      const again = (): void => void this.changed()
      const settled = booting.then(again, again)
      return (...args) => {
        // On Workers, booting would stop if the client of the first request left
        args[2]?.waitUntil?.(settled)
        return booting.then(
          () => this.fetch(...args),
          (error) => this.compile({ uses: [() => Promise.reject(error)], routes: [] })(...args),
        )
      }
    }
    if (DEV && env('NODE_ENV') === 'development') {
      for (const { method, path, duplicate } of this.routes()) {
        if (duplicate) console.warn(`${method} ${path} is registered twice: the first registration is used`)
      }
    }
    return super.start()
  }

  protected override compile(plan: Plan): AppFetch {
    return super.compile(plan, { container: this.container })
  }
}
