import { pathOf } from '#runtime/request'
import { type Chain, compose } from './compose.ts'
import type { Awaitable, Middleware } from './context.ts'
import { Bag } from './internal/bag.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { passing } from './internal/passing.ts'
import type { Match } from './internal/route/match.ts'
import type { Combined, Placed } from './internal/route/placed.ts'

/** The context of a request whose path may have been rewritten. */
type Rewritten = BaseContext & {
  /** The path that {@link BaseContext.matched} belongs to, if it is not the path of the request. */
  routed?: string
  /** Guards with a path that have already run. */
  guards?: unknown[]
  /** Cleans the parameters, if a sanitizer ran. */
  cleanParams?: (params: Record<string, string>) => Record<string, string>
}

type Guard = Middleware & Partial<Placed & Combined>

/**
 * The property `rewrites` of a middleware that may set `ctx.path`: the route is looked up again for the new path before
 * it runs.
 *
 * A guard with a path runs for the path that it sees. Guards that cover the new path and have not run yet run then,
 * before the middleware behind the one that rewrites.
 *
 * @example
 * const withoutPrefix = Object.assign((ctx, next) => {
 *   ctx.path = ctx.path.replace('/old', '')
 *   return next()
 * }, { rewrites: rewrite })
 */
export const rewrite = (
  uses: readonly Guard[],
  dispatch: Chain,
  lookUp: (method: string, path: string) => Match<unknown>,
): Chain => {
  const again =
    (before: readonly Guard[], rest: Chain): Chain =>
    (given) => {
      const ctx = given as Rewritten
      const { path, routed = pathOf(ctx.raw) } = ctx
      if (path === routed) return rest(given)
      ctx.routed = path
      ctx.matched = lookUp(ctx.method, path)
      const params = ctx.matched.params ?? new Bag()
      ctx.params = ctx.cleanParams ? ctx.cleanParams(params) : params
      const late = before.filter((guard) => guard.covers?.(path, ctx.guards))
      const once = (): Awaitable<Response> => {
        // One of them has set the path as well: those behind it have not seen that
        if (ctx.path !== path) ctx.routed = ''
        return again(before, rest)(given)
      }
      return compose(late, once)(given)
    }
  // Middleware behind it, such as that of files, must not see the new path before the guards in front have seen it
  const checked = (list: readonly Guard[], front: readonly Guard[]): Guard[] => {
    const done: Guard[] = []
    for (const one of list) {
      const before = [...front, ...done]
      const checkpoint = passing<Middleware>((ctx, next) => again(before, next as Chain)(ctx))
      if (one.rewrites) done.push(one.inside?.((parts) => checked(parts, before)) ?? one, checkpoint)
      else done.push(one)
    }
    return done
  }
  const all = checked(uses, [])
  return compose(all, again(all, dispatch))
}
