import type { AnyContext } from './context.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { answerLostBelow } from './internal/route/own-answers.ts'

/**
 * The pattern of the matched route, with the prefixes of groups, mounts and `basePath`: `/users/:id`. Use it to name
 * metrics and spans, because there are only as many patterns as routes. `undefined` if no route matches.
 *
 * A middleware that rewrites the path changes it: call this after `next()`, or in an edit of `onResponse`.
 *
 * @example
 * app.use(async (ctx, next) => {
 *   await next()
 *   count(routePattern(ctx) ?? 'none')
 * })
 */
export const routePattern = (ctx: AnyContext): string | undefined => {
  const target = (ctx as Partial<BaseContext>).matched?.value as Target | undefined
  // A mounted application's own 404 is a route of the outer one
  return target?.route.handler === answerLostBelow ? undefined : target?.route.path
}

/** The result of the router for a path; a 404 has a handler and no path. */
interface Target {
  readonly route: { readonly path?: string; readonly handler: unknown }
}
