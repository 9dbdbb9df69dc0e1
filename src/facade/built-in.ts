import type { App } from '../app.ts'
import { createFacade } from './create-facade.ts'

/** The type of the `Config` facade: the settings of the application, by dotted keys. */
export interface ConfigFacade {
  /** The value at a dotted key, or the fallback if it is missing or `undefined`. */
  get<T = unknown>(key: string): T | undefined
  get<T>(key: string, fallback: T): T
  /** Set the value at a dotted key. */
  set(key: string, value: unknown): void
  /** True when something is at the key. */
  has(key: string): boolean
  /** All current settings. */
  all(): Readonly<Record<string, unknown>>
}

/**
 * The settings given to `createApp({ config })`.
 *
 * @example
 * Config.get('app.name', 'app')
 */
export const Config: ConfigFacade = /* @__PURE__ */ createFacade<ConfigFacade>('config')

/**
 * The application's registration methods: `get`, `post`, `put`, `patch`, `delete`, `head`, `httpOptions`, `all`, `use`.
 *
 * @example
 * Route.get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id }))
 */
export const Route: App = /* @__PURE__ */ createFacade<App>('router')
