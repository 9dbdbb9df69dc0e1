import { pathOf } from '#runtime/request'
import { createResponse, withoutBody } from '#runtime/response'
import { compose, isResponse, type Run, type Step } from './compose.ts'
import type { Awaitable, Context, Execution, Handler } from './context.ts'
import { type ContextClass, finalize, RequestContext, type Site } from './create-context.ts'
import { toResponse } from './errors.ts'
import { refusal } from './internal/answer.ts'
import { after, isPromise } from './internal/awaitable.ts'
import { joinPaths, normalizePattern, withoutSlashes } from './internal/pattern.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import { createRouter, type Match, type Router } from './router.ts'
import { rescoped, scoped } from './scope.ts'

/** Answers whatever a handler or middleware threw. */
export type OnError<Ctx = Context> = (error: unknown, ctx: Ctx) => Awaitable<Response>

/** How a plan is served. */
export interface FetchOptions<Ctx = Context> {
  /** Prefix of all routes, matched at a segment boundary. @default '' */
  readonly basePath?: string
  /** When true, a trailing slash matters. @default false */
  readonly strict?: boolean
  /** Answers what no route matches; runs inside the global middleware. @default 404 `{ error: 'Not Found' }` */
  readonly notFound?: (ctx: Ctx) => Awaitable<Response>
  /** Answers what was thrown, with the same context. @default toResponse of `sluice/errors` */
  readonly onError?: OnError<Ctx>
  /** Answers a path that has routes, but none for the method: see `sluice/method-not-allowed`. @default notFound */
  readonly methodNotAllowed?: (ctx: Ctx, router: Router<unknown>) => Awaitable<Response> | undefined
}

/** Answers a request; without a promise when nothing on the way was asynchronous. Never throws and never rejects. */
export type AppFetch<Env = any> = (request: Request, env?: Env, execution?: Execution) => Awaitable<Response>

/** A route as the router gives it back. */
interface Target {
  readonly route: Omit<PlannedRoute, 'method' | 'path'>
  readonly name: string
  /** Its middleware and handler as one function, folded when it is first hit. */
  run?: Run
}

const NO_ENV: object = /* @__PURE__ */ Object.freeze({})

/**
 * Compile a plan: a router, one folded chain a route, and the error boundary around it.
 *
 * @example
 * export default { fetch: pipe(blank, route('GET', '/', () => text('hello')), toFetch) }
 */
export const toFetch = <Env = any>(
  plan: Plan<any, Env>,
  options: FetchOptions = {},
  Class: ContextClass = RequestContext,
  site: Site = { basePath: basePathOf(options) },
): AppFetch<Env> => {
  const { strict, notFound = answerNotFound, onError = toResponse, methodNotAllowed } = options
  const below = (path: string): string => joinPaths(site.basePath, path)
  const router = createRouter<Target>(
    plan.routes.map((route) => ({
      method: route.method,
      path: below(route.path),
      value: { route, name: `${route.method} ${route.path}` },
    })),
    strict,
  )
  const absent = toMatch((ctx) => methodNotAllowed?.(ctx, router) ?? notFound(ctx))
  const malformed = toMatch(() => {
    throw refusal(400, 'Malformed path')
  })
  const lookUp = (method: string, path: string): Match<Target> => {
    try {
      return router.find(method, path) ?? absent
    } catch {
      return malformed
    }
  }

  const steps = plan.uses.map(({ path, step }) => scoped({ path: path && below(path), step }))
  // Guards of a path that stand before whoever rewrites paths: they could not see the one that is routed
  const early = steps.slice(0, Math.max(0, plan.uses.map(({ step }) => step.rewrites === true).lastIndexOf(true)))
  const dispatch = (ctx: Context): Awaitable<Response> => {
    const { path, matchedPath } = ctx as RequestContext
    if (path === matchedPath) return reach(ctx)
    ;(ctx as RequestContext).rematch(lookUp(ctx.method, path))
    const late = early.filter(({ covers }) => covers?.(path) && !covers(matchedPath))
    return late.length ? compose(late, reach)(ctx) : reach(ctx)
  }
  const reach = (ctx: Context): Awaitable<Response> => {
    const value: Target = (ctx as RequestContext).matched.value
    value.run ??= compose(
      value.route.middleware.map((step) => rescoped(step, below)),
      value.route.handler,
      value.name,
    )
    return value.run(ctx)
  }
  const run = steps.length ? compose(steps, dispatch) : dispatch

  const rescue = (error: unknown, ctx: RequestContext): Awaitable<Response> => {
    try {
      const check = (answer: Response) => (isResponse(answer) ? answer : lastResort(error))
      const answer = onError(error, ctx)
      return isPromise(answer) ? answer.then(check, lastResort) : check(answer)
    } catch (worse) {
      return lastResort(worse)
    }
  }
  const leave = (ctx: RequestContext, response: Response): Awaitable<Response> => {
    const final = ctx.edits ? finalize(ctx, response, rescue) : response
    return ctx.method === 'HEAD' ? after(final, withoutBody) : final
  }
  const fail = (error: unknown, ctx: RequestContext): Awaitable<Response> =>
    after(rescue(error, ctx), (response) => leave(ctx, response))

  return (request, env, execution) => {
    const path = pathOf(request)
    const ctx = new Class(request, path, lookUp(request.method, path), site, env ?? NO_ENV, execution)
    try {
      const answer = run(ctx)
      return isPromise(answer)
        ? answer.then(
            (response) => leave(ctx, response),
            (error) => fail(error, ctx),
          )
        : leave(ctx, answer)
    } catch (error) {
      return fail(error, ctx)
    }
  }
}

/** The prefix in the form that routes and contexts use: a leading slash, none at the end; empty when there is none. */
export const basePathOf = ({ basePath = '' }: { readonly basePath?: string }): string =>
  withoutSlashes(normalizePattern(`${basePath}/`))

const answerNotFound = (): Response => createResponse('{"error":"Not Found"}', 'application/json', 404)

const toMatch = (handler: Step): Match<Target> => ({
  value: { route: { middleware: [], handler: handler as Handler }, name: 'notFound' },
  params: undefined,
})

/** An error that nobody could answer, even if answering it fails: an `HttpError` may carry a status that is none. */
const lastResort = (error: unknown): Response => {
  try {
    return toResponse(error)
  } catch (worse) {
    return toResponse(worse)
  }
}
