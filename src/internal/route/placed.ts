import type { Awaitable } from '../awaitable.ts'
import type { AnyMiddleware, Context, Middleware, Next } from '../types/context.ts'
import { joinPaths } from './pattern.ts'

/** Middleware of `at`, or a combination of such middleware. */
export interface Placed extends AnyMiddleware {
  /** Whether a pattern in it matches a path, which is percent-encoded as sent. */
  covers(path: string): boolean
  /** The same below a prefix. */
  below(prefix: string): Placed
}

/** Middleware of `at`. It keeps its pattern, so that it can be moved below a prefix with its plan. */
export interface MiddlewareAt extends Placed {
  readonly pattern: string
  readonly inner: Middleware
  /** Whether its own pattern matches a path, whatever the patterns inside it are. */
  matches(path: string): boolean
}

/** What a context remembers of a path that was set. */
export interface Checked {
  /** The path that the route was looked up for, if it is not the path of the request. */
  routed?: string | undefined
  /** Guards with a path that have already run. */
  guards?: unknown[] | undefined
  /**
   * Runs within a combination, behind a member that sets the path: looks the route up, and runs the guards in front of
   * the combination, and those of the combination itself, that cover the new path and have not run.
   */
  checkpoint?: ((inside: readonly Partial<Placed>[], rest: Next) => Awaitable<Response>) | undefined
}

/** More escaped slashes than any legitimate path has. Each one adds ways to read a path. */
const MANY_SLASHES = 16

/** Middleware for the paths that a normalized pattern matches. */
export const placed = (pattern: string, inner: Middleware): MiddlewareAt => {
  const literal = decode(pattern).replace(/[.+?^{}()[\]\\|$]/g, '\\$&')
  const source = literal.replace(/\/\*[\w-]*$/, '(/.*)?').replace(/\/:[\w-]+/g, '/[^/]+')
  const slashes = source.replace(/\/$/, '').replace(/(?<!\^)\//g, `[/${SLASH}]`)
  const matching = new RegExp(`^${slashes}/?$`, 's')
  const matches = (path: string): boolean => {
    const decoded = decode(path)
    return decoded.split(SLASH).length > MANY_SLASHES || matching.test(decoded)
  }
  // A combination in it may have patterns of its own
  const insideCovers = (path: string): boolean => (inner as Partial<Placed>).covers?.(path) ?? true
  const guard = (ctx: Context, next: Next) => {
    if (!matches(ctx.path)) return next()
    if (insideCovers(ctx.path)) noteGuard(ctx, guard)
    return inner(ctx, next)
  }
  return Object.assign(Object.defineProperty(guard, 'name', { value: inner.name }), {
    pattern,
    inner,
    matches,
    covers: (path: string) => matches(path) && insideCovers(path),
    below: (prefix: string) => placed(joinPaths(prefix, pattern), movedBelow(prefix)(inner)),
    rewrites: inner.rewrites,
  })
}

/** Remember that a guard has run for the path: it does not run again if that is rewritten. */
export const noteGuard = (ctx: object, guard: unknown): void => {
  const slots = ctx as Checked
  slots.guards = [...(slots.guards ?? []), guard]
}

/** Converts middleware of a plan that moves below a prefix. */
export const movedBelow =
  (prefix: string) =>
  <M extends AnyMiddleware>(middleware: M): M =>
    ((middleware as Partial<Placed>).below?.(prefix) as M | undefined) ?? middleware

/** Represents an escaped slash in a decoded path: no legitimate path contains it. */
const SLASH = '\0'

/** Decode a path except for escaped slashes. A malformed path is not changed; the router refuses it. */
const decode = (path: string): string => {
  try {
    return path.includes('%') ? decodeURIComponent(path.replace(/%2f/gi, SLASH)) : path
  } catch {
    return path
  }
}
