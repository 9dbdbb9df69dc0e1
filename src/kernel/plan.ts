/** Invariant: a step returns a new plan with one more entry, and never changes its argument. */
import { DEV } from '#mode'
import { checkOption } from '../internal/options/check.ts'
import { normalizePattern } from '../internal/route/pattern.ts'
import type { AnyMiddleware, Handler, Middleware } from '../internal/types/context.ts'
import type { HandlerList, Plan, PlannedRoute } from '../internal/types/plan.ts'
import type { AddRoute, Use } from '../internal/types/plan-steps.ts'
import type { RunChain } from './context.ts'

export type { AnyPlan, HandlerList, Plan, PlannedRoute, ToRoutes } from '../internal/types/plan.ts'
export type { AddRoute } from '../internal/types/plan-steps.ts'

/** A middleware as the kernel composes it. */
export interface PlannedMiddleware extends AnyMiddleware {
  /** True if it returns the result of `next()` and edits only by `onResponse`: see `passing`. */
  readonly '~passes'?: boolean | undefined
  /** Wraps a chain so that a deadline can end it early. */
  readonly '~race'?: ((chain: RunChain) => RunChain) | undefined
  /** Tells whether the pattern of `at` covers a path, percent-encoded as sent. */
  '~matches'?(path: string): boolean
  readonly inner?: PlannedMiddleware
  readonly pattern?: string
  /** Returns the middleware for the chain of a route: none if the pattern does not cover it. */
  '~coverOf'?(route: string): readonly PlannedMiddleware[]
  '~withPrefix'?(prefix: string): PlannedMiddleware
}

/** An empty plan. */
export const blank: Plan<{}, any, never> = { uses: [], routes: [] }

/**
 * Add middleware for every request, in order; `at` restricts one to some paths.
 *
 * @throws {TypeError} for anything that is not a function.
 * @example
 * pipe(blank, use(cors(), logger()), use(at('/admin/*', bearerAuth({ verify }))), toFetch)
 */
export const use: Use = (...middleware: readonly unknown[]): never => {
  if (DEV) checkSteps(middleware, 'use')
  const added = middleware.map(requireFunction)
  return ((plan: Plan) => ({ ...plan, uses: [...plan.uses, ...added] })) as never
}

/**
 * Add a route, with its own middleware before the handler.
 *
 * @param method upper case; `*` is every method
 * @throws {TypeError} for a path that is not a pattern, and for anything that is not a function.
 * @example
 * pipe(blank, route('GET', '/users/:id', (ctx) => text(ctx.params.id)), toFetch)
 */
export const route: AddRoute = (method: string, path: string, ...steps: readonly unknown[]): never => {
  const planned = toRoute(method, path, steps as HandlerList)
  return ((plan: Plan) => ({ ...plan, routes: [...plan.routes, planned] })) as never
}

export const toRoute = (method: string, path: string, steps: HandlerList): PlannedRoute => {
  if (DEV) {
    checkOption(!/[a-z]/.test(method), 'route', 'a method in upper case', method)
    checkSteps(steps.length ? steps : [undefined], `${method} ${path}`)
    checkNoPrepare(steps, `${method} ${path}`)
    checkOption(typeof path !== 'string' || /^(\/|\*|$)/.test(path), 'path', 'a path that begins with "/"', path)
  }
  const middleware = steps.map(requireFunction)
  return {
    method,
    path: normalizePattern(path),
    handler: requireFunction(middleware.pop()) as Handler,
    middleware: middleware as Middleware[],
  }
}

/** @throws {TypeError} for anything that is not a function: a guard that is missing must not go unnoticed. */
export const requireFunction = <Step>(step: Step): Step => {
  if (typeof step === 'function') return step
  throw new TypeError('step')
}

/** What {@link requireFunction} refuses, with the name of its place, in the build with checks. */
export const checkSteps = (steps: readonly unknown[], where: string): void => {
  for (const step of steps) checkOption(typeof step === 'function', where, 'a handler or a middleware', step)
}

/** Refuse middleware with `prepare`. It runs before routing, so no path can limit it: only the outer `use` takes it. */
export const checkNoPrepare = (middleware: readonly unknown[], where: string): void => {
  for (const one of middleware as readonly PlannedMiddleware[])
    checkOption(!one.prepare, where, 'middleware without prepare(): put it in front with use()', one.name)
}
