import { createResponse } from '#runtime/response'
import { type Awaitable, after } from '../awaitable.ts'
import type { BaseContext } from '../context/base-context.ts'
import { refusal } from '../error/answer.ts'
import type { Router } from './match.ts'

/**
 * Respond to an unmatched request: with 405 if the application has `methodNotAllowed` and the path has another method,
 * else with its `notFound`, else with the default. Each may return nothing, also asynchronously.
 */
export const answerLost = (ctx: unknown, router?: Router<unknown>): Awaitable<Response> => {
  const { site } = ctx as BaseContext
  const routes = (router ?? site.router) as never
  return after(
    site.methodNotAllowed?.(ctx as never, routes),
    (refused) =>
      refused ??
      after(
        site.notFound?.(ctx as never, routes),
        (answer) =>
          answer ??
          (site.onError?.everyRefusal
            ? site.onError(refusal(404, 'Not Found'), ctx as never)
            : createResponse('{"error":"Not Found"}', 'application/json', 404)),
      ),
  )
}
