import type { ToRoutes } from '../internal/types/plan.ts'
import type { FetchOptions } from './fetch.ts'

/** The options that `createApp` of `sluice` and of `sluice/tiny` share. */
export interface RoutesOptions<Ctx> extends FetchOptions<Ctx> {
  /** Prefix of all routes, matched at a segment boundary. @default '' */
  readonly basePath?: string
  /**
   * Allows paths with `:id?` and `:id{[0-9]+}`: pass `patterns` of `sluice/router/patterns`. By default such paths are
   * refused.
   */
  readonly patterns?: ToRoutes
  /** Maximum size of a body that the readers of the context accept, in bytes. @default 1048576 */
  readonly bodyLimit?: number
}
