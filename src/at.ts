import type { Loose, Middleware } from './context.ts'
import { checkOption } from './internal/options.ts'
import { checked } from './internal/route/checked.ts'
import { normalizePattern } from './internal/route/pattern.ts'
import { placed } from './internal/route/placed.ts'

/**
 * Let middleware run only for the paths that a pattern matches. `/admin/*` matches `/admin` as well.
 *
 * The path is compared in decoded form, and also with `%2F` as a slash, because `:name` passes it to the handler as
 * one. So a guard for `/files/secret/*` also runs for `/files/%73ecret/x` and `/files/secret%2Fx`. A path with more
 * than sixteen `%2F` matches every pattern.
 *
 * @throws {TypeError} for a path that is not a pattern, for anything that is not a function, and for a second
 * middleware.
 * @example
 * pipe(blank, use(at('/admin/*', bearerAuth({ verify }))), toFetch)
 */
export const at: <Adds = Loose, Needs = {}, Extra = unknown>(
  path: string,
  middleware: Middleware<Adds, Needs, Extra>,
) => Middleware<Adds, Needs, Extra> = (path, middleware, ...more: readonly never[]) => {
  // Dropped in silence, the second one might be a guard
  checkOption(!more.length, 'at: middleware', 'one: write at() for each', 1 + more.length)
  return placed(normalizePattern(path), checked(middleware) as never)
}
