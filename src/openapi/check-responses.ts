import { env } from '../env/env.ts'
import { compareResponse, describedBy, isChecking } from '../internal/openapi/mismatch.ts'
import type { Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { onResponse } from '../kernel/edits.ts'
import { routeOf } from '../kernel/look-up.ts'

/**
 * Compare the responses of every route with its `describe`, if NODE_ENV is `development` or `test`.
 *
 * Prints JSON that does not match its schema, and a status below 400 that is not described. Changes no response.
 *
 * @example
 * createApp().use(checkResponses()).get('/users', describe({ responses: { 200: Users } }), listUsers)
 */
export const checkResponses = (): Middleware<{}> => {
  const compares = isChecking(env('NODE_ENV'))
  return function checkResponses(ctx, next) {
    if (compares)
      onResponse(ctx, (response) => {
        const responses = describedBy(routeOf(internalsOf(ctx).target)?.middleware ?? [])
        return responses && compareResponse(responses, response, ctx)
      })
    return next()
  }
}
