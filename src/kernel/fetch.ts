/**
 * A request passes `prepare`, one look-up, one chain and the boundary. Invariants: nothing changes the path after
 * `prepare`, so every guard sees the final one; `fetch` never throws or rejects.
 */
import { DEV } from '#mode'
import { pathOf, showContext } from '#runtime/core'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { type Awaitable, tryCall, whenResolved } from '../internal/promise/awaitable.ts'
import type { AnyEnv, Context, Execution } from '../internal/types/context.ts'
import type { Plan } from '../internal/types/plan.ts'
import type { HasRoutes } from '../internal/types/route.ts'
import type { AppSettings, MethodNotAllowed, NotFound, OnError } from '../internal/types/settings.ts'
import { respondToError, sendResponse } from './boundary.ts'
import { composeChain, middlewareOf } from './compose.ts'
import { BaseContext, type RouteTarget, type RunChain } from './context.ts'
import { createLookUp } from './look-up.ts'
import type { PlannedMiddleware } from './plan.ts'

export type { OnError } from '../internal/types/settings.ts'

/** Options of {@link toFetch}. */
export interface FetchOptions<Ctx = Context> {
  /** If true, a trailing slash is significant. @default false */
  readonly strict?: boolean
  /**
   * Responds if no route matches, behind the middleware that covers the path, or returns nothing for the default.
   * @default 404 `{ error: 'Not Found' }`
   */
  readonly notFound?: NotFound<Ctx>
  /**
   * Responds if a path has no route for the method: pass `methodNotAllowed` of `sluice/pipe`, which sends 405 with
   * `Allow`, and 204 for OPTIONS. @default notFound
   */
  readonly methodNotAllowed?: MethodNotAllowed<Ctx>
  /** Turns a thrown value into a response, with the same context. @default toResponse of `sluice/errors` */
  readonly onError?: OnError<Ctx>
  /**
   * Formats refusals, such as 401 and 429, and unmatched paths and methods, unless `notFound` responds. Gets an error
   * with a `status`. `problemJson` of `sluice/problem-json` makes one. @default `{ error, … }`
   */
  readonly onRefusal?: OnError<Ctx>
}

/** Handles a request; returns no promise if nothing was asynchronous. Never throws and never rejects. */
export interface AppFetch<Env = AnyEnv, R = any> extends HasRoutes<R> {
  (request: Request, env?: Env, execution?: Execution): Awaitable<Response>
}

/**
 * Compile a plan: a router, one composed chain per route, and the error boundary around it.
 *
 * @throws {TypeError} for an unknown option.
 * @example
 * export default { fetch: pipe(blank, route('GET', '/', () => text('hello')), toFetch) }
 */
export const toFetch = <Env = AnyEnv, R = any>(
  plan: Plan<any, Env, R>,
  options: FetchOptions = {},
): AppFetch<Env, R> => {
  if (DEV) {
    checkOption(Array.isArray(plan?.uses), 'toFetch', 'a plan', plan)
    checkNames(
      'toFetch',
      options,
      'strict:boolean notFound:function methodNotAllowed:function onError:function onRefusal:function',
    )
  }
  const { strict, ...formats } = options
  const { uses } = plan
  const ContextClass = (plan.context ?? BaseContext) as typeof BaseContext
  showContext(ContextClass)
  const { router, find } = createLookUp(plan.routes, strict)
  const settings: AppSettings = { basePath: '', ...plan.settings, ...formats, router }

  const compile = (target: RouteTarget): RunChain => {
    const { plannedRoute, handler, mountSettings = plannedRoute?.settings } = target
    const list: readonly PlannedMiddleware[] = plannedRoute ? middlewareOf(uses, plannedRoute) : uses
    target.settings = { ...settings, ...mountSettings }
    const chain = composeChain(list, handler as never)
    return list.find((one) => one['~race'])?.['~race']?.(chain) ?? chain
  }
  const runRoute: RunChain = (ctx) => {
    const { value: target, params } = find(ctx)
    target.run ??= compile(target)
    ctx.target = target
    ctx.settings = target.settings!
    if (params) ctx.params = params
    ctx.settings.limit?.(ctx.raw)
    return target.run(ctx)
  }
  const prepareThenRun = uses.reduceRight<RunChain>(
    (rest, { prepare }) => (prepare ? (ctx) => whenResolved(prepare(ctx), () => rest(ctx)) : rest),
    runRoute,
  )
  const fetch: AppFetch<Env> = (request, env, execution) => {
    settings.limit?.(request)
    const ctx = new ContextClass(request, request.method, pathOf(request), settings, env, execution)
    return tryCall(prepareThenRun, ctx, respondToError, sendResponse)
  }
  settings.fetch = fetch as AppFetch
  return fetch
}
