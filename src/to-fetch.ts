import { replace } from '#runtime/replace'
import { pathOf } from '#runtime/request'
import { withoutBody } from '#runtime/response'
import { createRouter } from '#runtime/router'
import { showContext } from '#runtime/show-context'
import { type Chain, compose } from './compose.ts'
import type { Awaitable, Context, Execution, Handler } from './context.ts'
import { toResponse } from './errors.ts'
import { after, attempt, isPromise } from './internal/awaitable.ts'
import { BaseContext, type OnError, type Site } from './internal/context/base-context.ts'
import { refusal } from './internal/error/answer.ts'
import { isResponse } from './internal/is-response.ts'
import { answerLost } from './internal/route/lost.ts'
import type { Match, Router } from './internal/route/match.ts'
import type { Knows } from './internal/types/route.ts'
import type { Plan, PlannedRoute } from './plan.ts'
import type { rewrite } from './rewrite.ts'

export type { OnError } from './internal/context/base-context.ts'

/** Options of {@link toFetch}. */
export interface FetchOptions<Ctx = Context> {
  /** If true, a trailing slash is significant. @default false */
  readonly strict?: boolean
  /**
   * Responds if no route matches; runs inside the global middleware. If it returns nothing, the default is used: see
   * `sluice/method-not-allowed`. @default 404 `{ error: 'Not Found' }`
   */
  readonly notFound?: (ctx: Ctx, router: Router<unknown>) => Awaitable<Response | undefined> | undefined
  /** Turns a thrown value into a response, with the same context. @default toResponse of `sluice/errors` */
  readonly onError?: OnError<Ctx>
}

/** Handles a request; returns no promise if nothing was asynchronous. Never throws and never rejects. */
export interface AppFetch<Env = any, R = any> extends Knows<R> {
  (request: Request, env?: Env, execution?: Execution): Awaitable<Response>
}

/** A route as the router returns it. */
interface Target {
  readonly route: Pick<PlannedRoute, 'middleware' | 'handler' | 'answers'>
  readonly name: string
  /** Its middleware and handler as one function, composed when the route is first used. */
  chain?: Chain
}

/**
 * Compile a plan: a router, one composed chain per route, and the error boundary around it.
 *
 * @example
 * export default { fetch: pipe(blank, route('GET', '/', () => text('hello')), toFetch) }
 */
export const toFetch = <Env = any, R = any>(plan: Plan<any, Env, R>, options: FetchOptions = {}): AppFetch<Env, R> => {
  const { routes, uses, context: ContextClass = BaseContext } = plan
  const { strict, onError = toResponse, notFound } = options
  showContext(ContextClass)
  const rewrites = (plan.rewrites ?? uses.find((one) => one.rewrites)?.rewrites) as typeof rewrite | undefined

  const router = createRouter<Target>(
    routes.map((route) => ({ ...route, value: { route, name: `${route.method} ${route.path}` } })),
    strict,
  )
  const site: Site = { basePath: '', ...plan.site, onError, notFound, router }
  const absent = toMatch(answerLost)
  const lookUp = (method: string, path: string): Match<Target> => {
    try {
      return router.find(method, path) ?? absent
    } catch {
      return toMatch(malformed, router.find(method, path.replaceAll('%', '%25'))?.value.route.answers)
    }
  }

  const dispatch: Chain = (ctx) => {
    const target = (ctx as BaseContext).matched.value as Target
    target.chain ??= compose(target.route.middleware, target.route.handler, target.name)
    return target.chain(ctx)
  }
  const run = (rewrites ? rewrites(uses, dispatch, lookUp) : uses.length ? compose(uses, dispatch) : dispatch) as (
    ctx: unknown,
  ) => Awaitable<Response>
  const rescue = (error: unknown, ctx: BaseContext): Awaitable<Response> =>
    isResponse(error)
      ? error
      : attempt(onError, error, lastResort, (answer) => (isResponse(answer) ? answer : lastResort(error)), ctx)
  const leave = (response: Response, ctx: BaseContext): Awaitable<Response> => {
    const final = ctx.finish ? ctx.finish(ctx, response, rescue) : response
    return ctx.method === 'HEAD' ? after(final, withoutBody) : final
  }
  const fail = (error: unknown, ctx: BaseContext): Awaitable<Response> =>
    after(rescue(error, ctx), (response) => leave(replace(ctx.adopted, response), ctx))

  const fetch: AppFetch<Env> = (request, env, execution) => {
    const { method } = request
    const path = pathOf(request)
    const ctx = new ContextClass(request, method, path, lookUp(method, path), site, env, execution)
    try {
      const answer = run(ctx)
      return isPromise(answer)
        ? answer.then(
            (response) => leave(response, ctx),
            (error) => fail(error, ctx),
          )
        : leave(answer, ctx)
    } catch (error) {
      return fail(error, ctx)
    }
  }
  site.fetch = fetch as AppFetch
  return fetch
}

const toMatch = (handler: Handler, middleware: PlannedRoute['middleware'] = []): Match<Target> => ({
  value: { route: { middleware, handler }, name: 'notFound' },
})

const malformed = (): never => {
  throw refusal(400, 'Malformed path')
}

/**
 * Last resort, when `onError` itself failed. An `HttpError` may even have an invalid status, and a thrown Proxy may
 * fail whenever it is looked at: in a list, nobody looks.
 */
const lastResort = (error: unknown): Awaitable<Response> => attempt(toResponse, error, (worse) => toResponse([worse]))
