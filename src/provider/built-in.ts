import { createConfig } from '../config.ts'
import { env } from '../env/env.ts'
import type { Middleware } from '../internal/types/context.ts'
import { type ProviderApp, ServiceProvider } from './service-provider.ts'

/**
 * Binds `config`, as `createApp` does by itself. It is created at first use. The defaults of `app.name`, `app.env` and
 * `app.debug` are `'app'`, the variable `NODE_ENV` or `'production'`, and whether that is `'development'`.
 *
 * @example
 * app.container.make<Config>('config').get('app.env') // 'production'
 */
export class ConfigServiceProvider extends ServiceProvider {
  readonly #config: { readonly app?: object }

  constructor(app: ProviderApp, config: { readonly app?: object } = {}) {
    super(app)
    this.#config = config
  }

  override register(): void {
    bindConfig(this.app, this.#config)
  }
}

export const bindConfig = ({ container }: ProviderApp, values: { readonly app?: object } = {}): void => {
  container.singleton('config', () => {
    const mode = env('NODE_ENV', 'production')
    return createConfig({ ...values, app: { name: 'app', env: mode, debug: mode === 'development', ...values.app } })
  })
}

/** Middleware factories by name. */
export type MiddlewareRegistry = Map<string, (...options: never[]) => Middleware>

/**
 * Binds `middleware`, as `createApp` does by itself: a map of middleware factories by name, empty at first.
 *
 * @example
 * app.container.make<MiddlewareRegistry>('middleware').set('admin', () => requireRole('admin'))
 */
export class MiddlewareServiceProvider extends ServiceProvider {
  override register(): void {
    bindMiddleware(this.app)
  }
}

export const bindMiddleware = ({ container }: ProviderApp): void => {
  container.singleton('middleware', () => new Map())
}

/**
 * Binds the application as `app` and as `router`, which the `Route` facade uses, as `createApp` does by itself.
 *
 * @example
 * app.container.make<App>('router').get('/', () => text('Hello'))
 */
export class RouteServiceProvider extends ServiceProvider {
  override register(): void {
    bindRouter(this.app)
  }
}

export const bindRouter = (app: ProviderApp): void => {
  app.container.instance('app', app).instance('router', app)
}
