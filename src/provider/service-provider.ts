import type { Container } from '../container/container.ts'
import type { Provider } from '../internal/container/lifecycle.ts'

/** The part of the application that a provider uses. */
export interface ProviderApp {
  readonly container: Container
}

/**
 * Base class of a part of an application: binds its services, starts and stops them. Each method may be asynchronous.
 *
 * Every `register` runs before the first `boot`; every `boot` has finished before the first request is handled and
 * before `listen` resolves. `shutdown` runs in reverse order, for providers that have booted. On workerd nothing may
 * connect while a module loads: connect in `boot`.
 *
 * @example
 * class DatabaseProvider extends ServiceProvider {
 *   override register() {
 *     this.app.container.singleton('db', (c) => new DatabaseSync(c.make<Config>('config').get('database.file')))
 *   }
 *   override shutdown() {
 *     this.app.container.make<DatabaseSync>('db').close()
 *   }
 * }
 */
export class ServiceProvider<App extends ProviderApp = ProviderApp> {
  readonly app: App

  constructor(app: App) {
    this.app = app
  }

  /** Add bindings through `this.app.container`. Other providers may not have registered yet. */
  register(): void | Promise<void> {}

  /** Start services. Every provider has registered. */
  boot(): void | Promise<void> {}

  /** Stop what {@link boot} started. Runs once, when the application closes. */
  shutdown(): void | Promise<void> {}
}

export type { Provider }

/** A provider class. */
export type ProviderClass<App extends ProviderApp = ProviderApp> = new (app: App) => Provider
