import { ServiceProvider } from '../provider.ts'

/**
 * Binds the application as `app` and as `router`, where the `Route` facade looks. `createApp` registers it.
 *
 * @example
 * app.container.make<App>('router').get('/', () => text('Hello'))
 */
export class RouteServiceProvider extends ServiceProvider {
  override register(): void {
    this.app.container.instance('app', this.app).instance('router', this.app)
  }
}
