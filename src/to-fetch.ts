import { pathOf } from '#runtime/request'
import { createResponse, withoutBody } from '#runtime/response'
import { compose, type Run, type Step } from './compose.ts'
import type { Awaitable, Context, Execution, Handler } from './context.ts'
import { type ContextClass, finalize, RequestContext, type Site } from './create-context.ts'
import { HttpError, toError, toResponse } from './errors.ts'
import { Bag } from './internal/bag.ts'
import { joinPaths } from './internal/pattern.ts'
import { type FlatRoute, flatten, type Plan } from './plan.ts'
import { createRouter, type Find, type Match, reaches } from './router.ts'
import { scoped } from './scope.ts'

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
  readonly methodNotAllowed?: (ctx: Ctx, allowed: readonly string[]) => Awaitable<Response>
}

/** Answers a request; without a promise when nothing on the way was asynchronous. Never throws and never rejects. */
export type AppFetch<Env = any> = (request: Request, env?: Env, execution?: Execution) => Awaitable<Response>

/** A route as the router gives it back: its chain is folded when it is first hit. */
interface Target {
  readonly route: Omit<FlatRoute, 'method' | 'path'> & { readonly name?: string }
  run: Run | undefined
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
  const { strict = false, notFound = answerNotFound, onError = toResponse, methodNotAllowed } = options
  const { uses, routes } = flatten(plan, site.basePath)
  const steps = uses.map(scoped)
  const find = createRouter(routes.map(toEntry), strict)

  const absent = matchOf((ctx) => {
    const allowed = methodNotAllowed ? allowedMethods(find, routes, ctx.path) : []
    return allowed.length ? methodNotAllowed!(ctx, allowed) : notFound(ctx)
  })
  const lookUp = (method: string, path: string): Match<Target> => {
    try {
      return find(method, path) ?? absent
    } catch {
      return malformed
    }
  }
  const malformed = matchOf(() => {
    throw new HttpError(400, 'Malformed path')
  })

  const rewrites = steps.some((step) => step.rewrites)
  const chainOf = (target: Target): Run => {
    const { middleware, handler, name } = target.route
    target.run ??= compose(rewrites ? middleware : [...steps, ...middleware], handler, name)
    return target.run
  }
  const rewritten = compose(steps, (ctx) => {
    const { value, params } = lookUp(ctx.method, ctx.path)
    ctx.params = params ?? new Bag()
    return chainOf(value)(ctx)
  })

  const rescue = (error: unknown, ctx: RequestContext): Awaitable<Response> => {
    try {
      const answer = onError(error, ctx)
      return answer instanceof Promise ? answer.catch(lastResort) : (answer ?? lastResort(error))
    } catch (worse) {
      return lastResort(worse)
    }
  }
  const leave = (ctx: RequestContext, response: Response): Awaitable<Response> => {
    const final = ctx.edits ? finalize(ctx, response, rescue) : response
    if (ctx.method !== 'HEAD') return final
    return final instanceof Promise ? final.then(withoutBody) : withoutBody(final)
  }
  const fail = (error: unknown, ctx: RequestContext): Awaitable<Response> => {
    const answer = rescue(error, ctx)
    return answer instanceof Promise ? answer.then((response) => leave(ctx, response)) : leave(ctx, answer)
  }

  return (request, env, execution) => {
    const path = pathOf(request)
    const { value, params } = lookUp(request.method, path)
    const ctx = new Class(request, path, params, site, env ?? NO_ENV, execution)
    try {
      const answer = (rewrites ? rewritten : (value.run ?? chainOf(value)))(ctx)
      return answer instanceof Promise
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
  basePath && joinPaths('', basePath).replace(/\/+$/, '')

const answerNotFound = (): Response => createResponse('{"error":"Not Found"}', 'application/json', 404)

const toEntry = (route: FlatRoute) => ({
  method: route.method,
  path: route.path,
  value: { route: { ...route, name: `${route.method} ${route.path}` }, run: undefined } as Target,
})

const matchOf = (handler: Step): Match<Target> => ({
  value: { route: { middleware: [], handler: handler as Handler }, run: undefined },
  params: undefined,
})

/** An error that nobody could answer, even if answering it fails: an `HttpError` may carry a status that is none. */
const lastResort = (error: unknown): Response => {
  try {
    return toResponse(error)
  } catch (worse) {
    return toResponse(toError(worse))
  }
}

/** Methods that reach a route on this path. */
const allowedMethods = (find: Find<Target>, routes: readonly FlatRoute[], path: string): string[] => {
  const methods = new Set(routes.map((route) => route.method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].filter((method) => reaches(find, method, path))
}
