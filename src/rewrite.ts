import { pathOf } from '#runtime/request'
import { type Chain, compose } from './compose.ts'
import type { Middleware } from './context.ts'
import { Bag } from './internal/bag.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { passing } from './internal/passing.ts'
import type { Match } from './internal/route/match.ts'
import type { Checked, Placed } from './internal/route/placed.ts'

/** The context of a request whose path may have been rewritten. */
type Rewritten = BaseContext &
  Checked & {
    /** Cleans the parameters, if a sanitizer ran. */
    cleanParams?: (params: Record<string, string>) => Record<string, string>
  }

/**
 * The property `rewrites` of a middleware that may set `ctx.path`: the route is looked up again for the new path before
 * it runs.
 *
 * A guard with a path runs for the path that it sees. Guards that cover the new path and have not run yet run then,
 * before the middleware behind the one that rewrites.
 *
 * @param uses middleware that is not composed yet: steps are added around each that has this property
 *
 * @example
 * const withoutPrefix = Object.assign((ctx, next) => {
 *   ctx.path = ctx.path.replace('/old', '')
 *   return next()
 * }, { rewrites: rewrite })
 */
export const rewrite = (
  dispatch: Chain,
  lookUp: (method: string, path: string) => Match<unknown>,
  uses: Middleware[],
): Chain => {
  const all: readonly (Middleware & Partial<Placed>)[] = [...uses]
  const again =
    (before: readonly Partial<Placed>[], rest: Chain): Chain =>
    (given) => {
      const ctx = given as Rewritten
      const { path, routed = pathOf(ctx.raw) } = ctx
      if (path === routed) return rest(given)
      ctx.routed = path
      ctx.matched = lookUp(ctx.method, path)
      const params = ctx.matched.params ?? new Bag()
      ctx.params = ctx.cleanParams ? ctx.cleanParams(params) : params
      const late = before.filter((guard) => guard.covers?.(path) && !ctx.guards?.includes(guard))
      return compose(late as Middleware[], rest)(given)
    }
  // Middleware behind it, such as that of files, must not see the new path before the guards in front have seen it
  for (let index = all.length - 1; index >= 0; index--) {
    const before = all.slice(0, index)
    const enter = passing<Middleware>((ctx, next) => {
      const slots = ctx as unknown as Rewritten
      slots.checkpoint = (inside, rest) => again([...before, ...inside], rest as Chain)(ctx)
      return next()
    })
    const leave = passing<Middleware>((ctx, next) => again([...before, all[index]!], next as Chain)(ctx))
    if (all[index]!.rewrites) uses.splice(index, 1, enter, all[index]!, leave)
  }
  const last = again(all, dispatch)
  return (ctx) => {
    // The middleware of a route chooses no other route
    ;(ctx as unknown as Rewritten).checkpoint = undefined
    return last(ctx)
  }
}
