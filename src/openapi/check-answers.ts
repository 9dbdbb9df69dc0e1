import { env } from '../env/env.ts'
import { describedBy, isChecking, type MismatchOptions, warnOf } from '../internal/openapi/mismatch.ts'
import { checkNames } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { slotsOf } from '../kernel/context.ts'
import { onResponse } from '../kernel/edits.ts'
import { routeOf } from '../kernel/look-up.ts'

export type { Mismatch, MismatchOptions } from '../internal/openapi/mismatch.ts'

/**
 * Compare the responses of every route with its `describe`, if NODE_ENV is `development` or `test`. In production, and
 * if NODE_ENV is not set, it does nothing.
 *
 * JSON that does not match its schema, and a status below 400 that is not described, are passed to `onMismatch`. The
 * response is not changed.
 *
 * @throws {TypeError} when created, for an unknown or a bad option.
 * @example
 * createApp().use(checkAnswers()).get('/users', describe({ responses: { 200: Users } }), listUsers)
 */
export const checkAnswers = (options: MismatchOptions = {}): Middleware<{}> => {
  checkNames('checkAnswers', options, 'onMismatch:function')
  if (!isChecking(env('NODE_ENV')))
    return function checkAnswers(_, next) {
      return next()
    }
  return function checkAnswers(ctx, next) {
    onResponse(ctx, (response) => {
      const responses = describedBy(routeOf(slotsOf(ctx).target)?.middleware ?? [])
      return responses && warnOf(responses, options)(response, ctx)
    })
    return next()
  }
}
