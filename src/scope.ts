import type { Middleware } from './context.ts'
import { createRouter, reaches } from './router.ts'

/** Middleware and the pattern of the paths it runs on; every path without one. */
export interface Scope {
  readonly path: string | undefined
  readonly step: Middleware
}

/** The middleware alone, or wrapped so that it runs only where its pattern matches the path that the router sees. */
export const scoped = ({ path, step }: Scope): Middleware => {
  if (path === undefined) return step
  const find = createRouter([{ method: '*', path, value: true }])
  const run: Middleware = (ctx, next) => (reaches(find, '*', ctx.path) ? step(ctx, next) : next())
  return Object.assign(run, step.rewrites && { rewrites: true })
}
