import { type AppContext, AppRequestContext, type Respond } from './app-context.ts'
import { Container } from './container.ts'
import type { Awaitable, Middleware } from './context.ts'
import type { ContextClass, Site } from './create-context.ts'
import { env } from './env.ts'
import { setFacadeContainer } from './internal/facade-root.ts'
import { createLifecycle, type Lifecycle } from './internal/lifecycle.ts'
import { listRoutes, type RouteInfo } from './list-routes.ts'
import { methodNotAllowed } from './method-not-allowed.ts'
import { blank, type Plan, use } from './plan.ts'
import type { Provider, ProviderClass } from './provider.ts'
import { ConfigServiceProvider } from './providers/config.ts'
import { MiddlewareServiceProvider } from './providers/middleware.ts'
import { RouteServiceProvider } from './providers/route.ts'
import { type Routes, RoutesShell } from './routes.ts'
import type { ListenOptions, ServerHandle } from './runtime/contract.ts'
import { serve } from './serve.ts'
import { type AppFetch, basePathOf, type FetchOptions, toFetch } from './to-fetch.ts'

/** Options of {@link createApp}. */
export interface AppOptions<Env = any>
  extends Omit<FetchOptions<AppContext<{}, Record<string, string>, Env>>, 'methodNotAllowed'> {
  /** True answers a path that has no route for the method with 405 and `Allow`, and `OPTIONS` with 204. @default false */
  readonly methodNotAllowed?: boolean | FetchOptions<AppContext<{}, Record<string, string>, Env>>['methodNotAllowed']
  /** What the `config` entry of the container holds, read as `config.get('database.url')`. @default {} */
  readonly config?: Readonly<Record<string, unknown>>
}

/**
 * An application: routes and middleware, the container, and the doors out: `fetch` and `listen`.
 *
 * @typeParam Known what middleware has put in `ctx.state` so far
 * @typeParam Env values on edge runtimes
 */
export interface App<Known extends object = {}, Env = any> extends Routes<Known, Env> {
  use<Adds extends object = {}>(middleware: Middleware<Adds, Known, Respond>): App<Known & Adds, Env>
  use<Adds extends object = {}>(path: string, middleware: Middleware<Adds, Known, Respond>): App<Known & Adds, Env>
  /** The application's container. */
  readonly container: Container
  /** Prefix of all routes, with a leading slash and none at the end; empty when there is none. */
  readonly basePath: string
  /** Add a service provider: a class, or an object with `register`, `boot`, `shutdown`. */
  register(provider: ProviderClass<App> | Provider): this
  /** Resolves when every provider has booted; rejects with what a provider threw. */
  ready(): Promise<void>
  /** Answer a request. Bound, so it can be handed to `Bun.serve`, `Deno.serve` or a worker; never throws or rejects. */
  readonly fetch: AppFetch<Env>
  /**
   * Serve on Node, Bun or Deno. Resolves once the port is bound and the providers have booted.
   * @throws what the system says when the port cannot be bound, and what a provider threw.
   */
  listen(port?: number | ListenOptions, callback?: (port: number) => void): Promise<ServerHandle>
  /** Stop listening, let requests finish, then shut the providers down in reverse order. Once. */
  close(): Promise<void>
  /** The registered routes, duplicates marked. */
  routes(): RouteInfo[]
}

/**
 * Create an application.
 *
 * @example
 * const app = createApp().get('/hello/:name', (ctx) => ctx.json({ hello: ctx.params.name }))
 * await app.listen(3000)
 */
export const createApp = <Env = any>(options: AppOptions<Env> = {}): App<{}, Env> =>
  new AppShell(options as AppOptions) as unknown as App<{}, Env>

class AppShell extends RoutesShell {
  readonly container: Container = new Container()
  readonly basePath: string
  readonly #options: FetchOptions
  readonly #site: Site
  readonly #lifecycle: Lifecycle<App>
  readonly #handles = new Set<ServerHandle>()
  #run: AppFetch | undefined
  #booted = false

  constructor({ config, methodNotAllowed: allow, ...options }: AppOptions) {
    super()
    this.#options = {
      ...options,
      ...(allow && { methodNotAllowed: allow === true ? methodNotAllowed : allow }),
    } as FetchOptions
    this.basePath = basePathOf(options)
    this.#site = { basePath: this.basePath, container: this.container }
    const app = this as unknown as App
    this.#lifecycle = createLifecycle(app)
    for (const provider of [RouteServiceProvider, MiddlewareServiceProvider]) this.register(provider)
    this.register(new ConfigServiceProvider(app, config))
    setFacadeContainer(this.container)
  }

  readonly fetch: AppFetch = (request, bindings, execution) => {
    if (!this.#booted) {
      const booting = this.#lifecycle.ready()
      if (booting) {
        return booting.then(
          () => this.fetch(request, bindings, execution),
          (error) => this.#failing(error)(request, bindings, execution),
        )
      }
      this.#booted = true
    }
    this.#run ??= this.#start()
    return this.#run(request, bindings, execution)
  }

  register(provider: ProviderClass<App> | Provider): this {
    this.#booted = false
    this.#lifecycle.register(provider)
    return this
  }

  async ready(): Promise<void> {
    await this.#lifecycle.ready()
  }

  async listen(port: number | ListenOptions = {}, callback?: (port: number) => void): Promise<ServerHandle> {
    const options = typeof port === 'number' ? { port } : port
    await this.ready()
    const server = await serve(this.fetch, options)
    const close = (): Promise<void> => this.close()
    const handle = { ...server, close, [Symbol.asyncDispose]: close }
    this.#handles.add(server)
    callback?.(server.port as number)
    return handle
  }

  async close(): Promise<void> {
    try {
      await Promise.all(Array.from(this.#handles, (handle) => handle.close()))
    } finally {
      await this.#lifecycle.shutdown()
    }
  }

  routes(): RouteInfo[] {
    return listRoutes(this.plan, this.basePath)
  }

  protected override changed(): this {
    this.#run = undefined
    return this
  }

  #start(): AppFetch {
    if (env('NODE_ENV') === 'development') {
      for (const { method, path, duplicate } of this.routes()) {
        if (duplicate) console.warn(`${method} ${path} is registered twice: the first registration answers`)
      }
    }
    return this.#compile(this.plan as Plan)
  }

  #compile(plan: Plan): AppFetch {
    return toFetch(plan, this.#options, AppRequestContext as unknown as ContextClass, this.#site)
  }

  /** Answers everything with an error: a provider could not start. */
  #failing(error: unknown): AppFetch {
    const fail = (): Awaitable<Response> => {
      throw error
    }
    return this.#compile(use(fail)(blank))
  }
}
