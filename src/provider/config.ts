import { createConfig } from '../config.ts'
import { env } from '../env/env.ts'
import { type ProviderApp, ServiceProvider } from './service-provider.ts'

/**
 * Binds `config`, created at first use. `createApp({ config })` registers it with its option.
 *
 * `app.name`, `app.env` and `app.debug` have defaults: `'app'`, the variable `NODE_ENV` or `'production'`, and whether
 * that is `'development'`.
 *
 * @example
 * app.container.make<Config>('config').get('app.env') // 'production'
 */
export class ConfigServiceProvider extends ServiceProvider {
  readonly #given: { readonly app?: object }

  constructor(app: ProviderApp, config: { readonly app?: object } = {}) {
    super(app)
    this.#given = config
  }

  override register(): void {
    bindConfig(this.app, this.#given)
  }
}

/** `createApp` does the same by itself. */
export const bindConfig = ({ container }: ProviderApp, values: { readonly app?: object } = {}): void => {
  container.singleton('config', () => {
    const mode = env('NODE_ENV', 'production')
    return createConfig({ ...values, app: { name: 'app', env: mode, debug: mode === 'development', ...values.app } })
  })
}
