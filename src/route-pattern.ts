import type { Context } from './context.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { answerLostBelow } from './internal/route/own-answers.ts'

/**
 * The pattern of the route that answers, with the prefixes of groups, mounts and `basePath`: `/users/:id`. It names
 * metrics and spans, since there are as many as there are routes. Nothing for a path that no route matches.
 *
 * A middleware that rewrites the path changes it: ask after `next()`, or in an edit of `onResponse`.
 *
 * @example
 * app.use(async (ctx, next) => {
 *   await next()
 *   count(routePattern(ctx) ?? 'none')
 * })
 */
export const routePattern = (ctx: Context<any, any, any>): string | undefined => {
  // any: whatever context it is
  const target = (ctx as unknown as Partial<BaseContext>).matched?.value as Target | undefined
  // A mounted application's own 404 is a route of the outer one
  return target?.route.handler === answerLostBelow ? undefined : target?.route.path
}

/** What the router gives for a path; a 404 has a handler and no path. */
interface Target {
  readonly route: { readonly path?: string; readonly handler: unknown }
}
