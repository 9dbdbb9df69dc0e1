/**
 * Invariants: the response is what the middleware returns, otherwise `ctx.response`. A handler may return the same
 * response for every request, so the chain works on a copy, made once. A synchronous chain returns no promise. If
 * nobody awaits `next()`, its error is reported once, or its body is cancelled.
 */
import { DEV } from '#mode'
import { isResponse } from '#runtime/core'
import { type Awaitable, isPromise, whenResolved } from '../internal/promise/awaitable.ts'
import type { AnyMiddleware, Context } from '../internal/types/context.ts'
import type { AnyPlan, PlannedRoute } from '../internal/types/plan.ts'
import { dropLate } from './boundary.ts'
import { type BaseContext, internalsOf, type RunChain, toOwnResponse } from './context.ts'
import { checkSteps, type PlannedMiddleware, requireFunction } from './plan.ts'

/** A composed chain. */
export type Chain = (ctx: Context) => Awaitable<Response>

type LooseHandler = (ctx: Context) => Awaitable<Response | void>

/**
 * Compose middleware around a handler; the first is the outermost. If one returns nothing, `ctx.response` is sent.
 *
 * @throws {TypeError} for anything that is not a function, and when run, if there is no response.
 * @throws {Error} if a middleware calls `next()` twice.
 * @example
 * const chain = compose([cors()], () => text('hello'))
 */
export const compose = (middleware: readonly AnyMiddleware[], handler: LooseHandler): Chain => {
  if (DEV) checkSteps(middleware, 'compose')
  if (DEV) checkSteps([handler], 'compose')
  const run = composeChain(middleware.map(requireFunction), requireFunction(handler))
  return (ctx) => run(internalsOf(ctx))
}

/** `compose` for functions that were checked when they were registered. */
export const composeChain = (list: readonly PlannedMiddleware[], handler: LooseHandler): RunChain =>
  list.reduceRight<RunChain>(prepend, (ctx) => whenResolved(handler(ctx), (result) => responseOf(result, ctx)))

/** The middleware of a route, in order, including middleware that only adds to the OpenAPI document. */
export const middlewareOf = (uses: AnyPlan['uses'], route: PlannedRoute): readonly PlannedMiddleware[] =>
  [...uses, ...route.middleware].flatMap((one: PlannedMiddleware) => one['~coverOf']?.(route.path) ?? one)

const prepend = (
  rest: RunChain,
  middleware: PlannedMiddleware,
  index: number,
  list: readonly PlannedMiddleware[],
): RunChain => {
  const { '~matches': matches, inner } = middleware
  if (matches) {
    const guarded = prepend(rest, inner!, index, list)
    return (ctx) => (matches(ctx.path) ? guarded(ctx) : rest(ctx))
  }
  if (middleware['~passes']) return (ctx) => middleware(ctx, () => rest(ctx)) as Awaitable<Response>
  const after = list[index + 1]
  // Middleware of users returns a copy already. `~passes`, and a handler, leave it to the first edit
  const copied: RunChain =
    after && !after['~passes'] ? rest : (ctx) => whenResolved(rest(ctx), (response) => toOwnResponse(response, ctx))
  return callWatched(copied, middleware)
}

const callWatched =
  (rest: RunChain, middleware: AnyMiddleware): RunChain =>
  (ctx) => {
    let running: Awaitable<Response> | undefined | null
    let returned = false
    let hasSettled = false
    const next = (): Awaitable<Response> => {
      if (running !== undefined) throw new Error('next() called multiple times')
      running = null
      running = rest(ctx)
      if (returned) watch(running, () => hasSettled)
      return running
    }
    const enter = (result: Response | void): Response => {
      hasSettled = true
      return toOwnResponse(DEV ? responseOf(result, ctx, middleware) : responseOf(result, ctx), ctx)
    }
    try {
      const result = middleware(ctx, next)
      if (result && result === running) return running
      returned = true
      if (running) watch(running, () => hasSettled)
      if (!isPromise(result)) return enter(result)
      return result.then(enter, (error) => {
        hasSettled = true
        throw error
      })
    } catch (error) {
      hasSettled = true
      if (running) watch(running, () => hasSettled)
      throw error
    }
  }

/** Drop the result of the rest of a chain if the middleware has responded without it. */
const watch = (running: Awaitable<Response>, isLate: () => boolean): void => {
  const drop = (late: unknown): void => {
    if (isLate()) dropLate(late)
  }
  if (isPromise(running)) running.then(drop, drop)
  else drop(running)
}

const responseOf = (result: Response | void, ctx: BaseContext, middleware?: AnyMiddleware): Response => {
  const response: unknown = result ?? ctx.response
  if (isResponse(response)) return response
  throw new TypeError(
    DEV ? `${nameOf(ctx, middleware)} returned ${typeOf(result)} instead of a Response` : `No response: ${ctx.path}`,
  )
}

const nameOf = ({ target }: BaseContext, middleware: AnyMiddleware | undefined): string => {
  if (middleware) return middleware.name || 'A middleware'
  const { plannedRoute } = target ?? {}
  return plannedRoute ? `${plannedRoute.method} ${plannedRoute.path}` : target ? 'notFound' : 'The handler'
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value)
