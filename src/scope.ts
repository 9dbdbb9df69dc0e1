import type { Middleware } from './context.ts'

/** Middleware and the pattern of the paths it runs on; every path without one. */
export interface Scope {
  readonly path: string | undefined
  readonly step: Middleware
}

/** The middleware alone, or wrapped so that it runs only where its pattern matches the path that the router sees. */
export const scoped = ({ path, step }: Scope): Middleware => {
  if (path === undefined) return step
  const literal = path.replace(/[.+?()[\]\\|$]/g, '\\$&')
  const source = literal.replace(/\/\*[\w-]*$/, '(/.*)?').replace(/:[\w-]+/g, '[^/]+')
  const matching = new RegExp(`^${source.replace(/\/$/, '')}/?$`)
  const run: Middleware = (ctx, next) => (matching.test(ctx.path) ? step(ctx, next) : next())
  return run
}
