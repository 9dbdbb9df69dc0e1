import type { Middleware } from '../internal/types/context.ts'
import { type ProviderApp, ServiceProvider } from './service-provider.ts'

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
    bindMiddleware(this.app)
  }
}

/** `createApp` does the same by itself. */
export const bindMiddleware = ({ container }: ProviderApp): void => {
  container.singleton('middleware', () => new Map())
}
