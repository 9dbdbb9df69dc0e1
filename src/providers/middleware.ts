import type { Middleware } from '../context.ts'
import { ServiceProvider } from '../provider.ts'

/** Middleware factories by name. */
export type MiddlewareRegistry = Map<string, (...options: never[]) => Middleware>

/**
 * Binds `middleware`: a map of middleware factories by name, empty at first. `createApp` registers it.
 *
 * @example
 * app.container.make<MiddlewareRegistry>('middleware').set('admin', () => requireRole('admin'))
 */
export class MiddlewareServiceProvider extends ServiceProvider {
  override register(): void {
    this.app.container.singleton('middleware', (): MiddlewareRegistry => new Map())
  }
}
