import { type ProviderApp, ServiceProvider } from './service-provider.ts'

/**
 * Binds the application as `app` and as `router`, where the `Route` facade looks. `createApp` registers it.
 *
 * @example
 * app.container.make<App>('router').get('/', () => text('Hello'))
 */
export class RouteServiceProvider extends ServiceProvider {
  override register(): void {
    bindRouter(this.app)
  }
}

/** `createApp` does the same by itself. */
export const bindRouter = (app: ProviderApp): void => {
  app.container.instance('app', app).instance('router', app)
}
