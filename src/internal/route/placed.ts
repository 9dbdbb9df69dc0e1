import type { AnyMiddleware, Context, Middleware, Next } from '../types/context.ts'
import { joinPaths } from './pattern.ts'

/** Middleware of `at`. It keeps its pattern, so that it can be moved below a prefix with its plan. */
export interface MiddlewareAt extends AnyMiddleware {
  readonly pattern: string
  readonly inner: Middleware
  /** Whether the pattern matches a path, which is percent-encoded as sent. */
  covers(path: string): boolean
}

/** More escaped slashes than any legitimate path has. Each one adds ways to read a path. */
const MANY_SLASHES = 16

/** Middleware for the paths that a normalized pattern matches. */
export const placed = (pattern: string, inner: Middleware): MiddlewareAt => {
  const literal = decode(pattern).replace(/[.+?^{}()[\]\\|$]/g, '\\$&')
  const source = literal.replace(/\/\*[\w-]*$/, '(/.*)?').replace(/\/:[\w-]+/g, '/[^/]+')
  const slashes = source.replace(/\/$/, '').replace(/(?<!\^)\//g, `[/${SLASH}]`)
  const matching = new RegExp(`^${slashes}/?$`, 's')
  const covers = (path: string): boolean => {
    const decoded = decode(path)
    return decoded.split(SLASH).length > MANY_SLASHES || matching.test(decoded)
  }
  const guard = (ctx: Context, next: Next) => {
    if (!covers(ctx.path)) return next()
    const slots = ctx as Context & { guards?: unknown[] }
    slots.guards = [...(slots.guards ?? []), guard]
    return inner(ctx, next)
  }
  return Object.assign(Object.defineProperty(guard, 'name', { value: inner.name }), {
    pattern,
    inner,
    covers,
    rewrites: inner.rewrites,
  })
}

/** Converts middleware of a plan that moves below a prefix. */
export const movedBelow =
  (prefix: string) =>
  (middleware: Middleware): Middleware => {
    const { pattern, inner } = middleware as MiddlewareAt
    return inner ? placed(joinPaths(prefix, pattern), inner) : middleware
  }

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
