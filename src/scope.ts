import type { Middleware } from './context.ts'

/** Middleware and the pattern of the paths it runs on; every path without one. */
export interface Scope {
  readonly path: string | undefined
  readonly step: Middleware
}

/** Middleware that knows its scope, so that it goes along when its plan is put below a prefix, and when a path is rewritten. */
export type Scoped = Middleware & {
  readonly scope?: Scope
  readonly covers?: (path: string) => boolean
}

/**
 * The middleware alone, or wrapped so that it runs only where its pattern matches the path. Both are compared decoded: a guard of `/files/secret/*` has to stand
 * before `/files/%73ecret/x` as well, which a wildcard hands to its handler as `secret/x`.
 */
export const scoped = (scope: Scope): Scoped => {
  const { path, step } = scope
  if (path === undefined) return step
  const literal = decode(path).replace(/[.+?^{}()[\]\\|$]/g, '\\$&')
  const source = literal.replace(/\/\*[\w-]*$/, '(/.*)?').replace(/\/:[\w-]+/g, '/[^/]+')
  const matching = new RegExp(`^${source.replace(/\/$/, '')}/?$`, 's')
  const covers = (pathname: string): boolean => matching.test(decode(pathname))
  const run: Middleware = (ctx, next) => (covers(ctx.path) ? step(ctx, next) : next())
  return Object.assign(run, { scope, covers })
}

/** The same middleware for a plan that moves below a prefix. */
export const rescoped = (step: Scoped, below: (path: string) => string): Middleware => {
  const { scope } = step
  return scope ? scoped({ ...scope, path: below(scope.path!) }) : step
}

/** What the router decodes: everything but slashes. A malformed path is left as it is, and refused by the router. */
const decode = (path: string): string => {
  try {
    return path.includes('%') ? decodeURIComponent(path.replace(/%(?=2f)/gi, '%25')) : path
  } catch {
    return path
  }
}
