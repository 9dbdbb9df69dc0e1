import type { AnyMiddleware, Context, Middleware, Next } from '../types/context.ts'
import { joinPaths } from './pattern.ts'

/** Middleware of `at`, or a combination of such middleware. */
export interface Placed extends AnyMiddleware {
  /** Whether a pattern in it matches a path, which is percent-encoded as sent, and its guard has not run yet. */
  covers(path: string, ran?: readonly unknown[]): boolean
  /** The same below a prefix. */
  below(prefix: string): Placed
}

/** Middleware of `every`, `except` or `some`, alone or in `at`. */
export interface Combined extends AnyMiddleware {
  /** The same with other members. */
  inside(change: (parts: readonly AnyMiddleware[]) => readonly AnyMiddleware[]): AnyMiddleware
}

/** Middleware of `at`. It keeps its pattern, so that it can be moved below a prefix with its plan. */
export interface MiddlewareAt extends Placed {
  readonly pattern: string
  readonly inner: Middleware
  /** Whether its own pattern matches a path, whatever the patterns inside it are. */
  matches(path: string): boolean
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
  const { covers, inside } = inner as Partial<Placed & Combined>
  const guard = (ctx: Context, next: Next) => {
    if (!matches(ctx.path)) return next()
    // It does not run again if the path is rewritten, unless a pattern in it covers the new one
    const slots = ctx as Context & { guards?: unknown[] }
    slots.guards = [...(slots.guards ?? []), guard]
    return inner(ctx, next)
  }
  return Object.assign(Object.defineProperty(guard, 'name', { value: inner.name }), {
    pattern,
    inner,
    matches,
    covers: (path: string, ran?: readonly unknown[]) =>
      matches(path) && (!ran?.includes(guard) || !!covers?.(path, ran)),
    below: (prefix: string) => placed(joinPaths(prefix, pattern), movedBelow(prefix)(inner)),
    inside: inside && ((change: Parameters<typeof inside>[0]) => placed(pattern, inside(change))),
    rewrites: inner.rewrites,
  })
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
