import { replace } from '#runtime/replace'
import { limitBody } from '#runtime/request'
import { type Awaitable, after, attempt } from '../awaitable.ts'
import type { BaseContext, Site } from '../context/base-context.ts'
import { isResponse } from '../is-response.ts'
import { answerLost } from './lost.ts'

/** The options of an application that still apply when it is mounted. */
export type OwnAnswers = Pick<Site, 'onError' | 'notFound' | 'methodNotAllowed' | 'bodyLimit'>

/** The handler of every path below the prefix of an application with its own `notFound`. */
export const answerLostBelow = (ctx: unknown): Awaitable<Response> => {
  const { router } = (ctx as BaseContext).site
  return answerLost(ctx, {
    methods: router!.methods,
    find(method, path) {
      const match = router!.find(method, path)
      // This handler does not count when checking whether a path exists
      const target = match?.value as { route: { handler: unknown } } | undefined
      return target?.route.handler === answerLostBelow ? undefined : match
    },
  })
}

/**
 * A middleware around the routes of a mounted application: inside it, refusals, unmatched paths, errors and body limits
 * are handled with the options of that application. Outside, nothing changes.
 */
export const answerBy = (own: OwnAnswers) =>
  function mounted(ctx: unknown, next: () => Awaitable<Response>): Awaitable<Response> {
    const slots = ctx as BaseContext & { site: Site }
    const { site: outer, depth } = slots
    const enter = (site: Site): void => {
      slots.site = site
      if (own.bodyLimit !== undefined) limitBody(slots.raw, site.bodyLimit)
    }
    const rescue = (error: unknown): Awaitable<Response> => {
      // A thrown response is sent unchanged
      if (!(error instanceof Error) && isResponse(error)) return error
      if (!own.onError) throw error
      return after(own.onError(error, ctx as never), (answer) => {
        if (!isResponse(answer)) throw error
        // An outer middleware may have responded by now
        return slots.raced >= depth ? replace(slots.adopted, answer) : answer
      })
    }
    enter({ ...outer, ...own })
    return attempt(
      () => attempt(next, undefined, rescue),
      undefined,
      (error) => {
        enter(outer)
        throw error
      },
      (answer) => {
        enter(outer)
        return answer
      },
    )
  }
