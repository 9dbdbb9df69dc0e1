import type { Loose, Middleware } from './context.ts'
import { checked } from './internal/route/checked.ts'
import { normalizePattern } from './internal/route/pattern.ts'
import { placed } from './internal/route/placed.ts'

/**
 * Let middleware run only for the paths that a pattern matches. `/admin/*` matches `/admin` as well.
 *
 * The path is compared decoded, and `%2F` stands for a slash as well, since `:name` hands it to its handler as one. So a
 * guard of `/files/secret/*` stands before `/files/%73ecret/x` and `/files/secret%2Fx`. A path with more than sixteen
 * `%2F` is covered by every pattern.
 *
 * @throws {TypeError} for a path that is not a pattern, and for anything that is not a function.
 * @example
 * pipe(blank, use(at('/admin/*', bearerAuth({ verify }))), toFetch)
 */
export const at = <Adds = Loose, Needs = {}, Extra = unknown>(
  path: string,
  middleware: Middleware<Adds, Needs, Extra>,
): Middleware<Adds, Needs, Extra> => placed(normalizePattern(path), checked(middleware) as never) as never
