import { replace } from '#runtime/replace'
import { withoutBody } from '#runtime/response'
import type { AnyMiddleware, Awaitable, Context, Middleware } from './context.ts'
import { isPromise } from './internal/awaitable.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { makeNewest } from './internal/context/newest.ts'
import { report } from './internal/error/report.ts'
import { isResponse } from './internal/is-response.ts'
import { checked } from './internal/route/checked.ts'

/** A chain that is ready to run. */
export type Chain = (ctx: Context) => Awaitable<Response>

/** A handler that may respond by setting `ctx.response`. */
type LooseHandler = (ctx: Context) => Awaitable<Response | void>

/** The context, and what a chain stores on it. */
type Slots = Context & Pick<BaseContext, 'depth' | 'raced' | 'adopted'>

/** Who gives an answer. */
type Owner = { readonly name: string; readonly passes?: boolean | undefined }

type SlotChain = (ctx: Slots) => Awaitable<Response>

/**
 * Compose middleware around a handler: the first is the outermost. Stays synchronous as long as all of them are.
 *
 * If a middleware returns nothing, `ctx.response` is the response; if it returns a response, that replaces it.
 *
 * @throws {TypeError} for anything that is not a function, and when run, if there is no response.
 * @throws {Error} if a middleware calls `next()` twice.
 * @example
 * const answer = compose([cors()], () => text('hello'))
 */
export const compose = (middleware: readonly AnyMiddleware[], handler: LooseHandler, name = 'The handler'): Chain => {
  // If every middleware passes the response on, nobody reads `ctx.response`, so it need not be set
  const owner = { name, passes: middleware.map(checked).every((one) => one.passes) }
  checked(handler)
  return middleware.reduceRight<SlotChain>(around, (ctx) => {
    const depth = enter(ctx)
    const answer = handler(ctx)
    return isPromise(answer)
      ? answer.then((late) => keep(late, ctx, owner, depth, late))
      : keep(answer, ctx, owner, depth, answer)
  }) as Chain
}

/** The depth in the chain. Calls only go inwards, because `next()` can be called only once. */
const enter = (ctx: Slots): number => ++ctx.depth

const around = (rest: SlotChain, middleware: Middleware): SlotChain => {
  return (ctx) => {
    const depth = enter(ctx)
    let answered = false
    // The result of `next()`: `null` while it runs, and if it failed
    let given: Awaitable<Response> | null | undefined
    const next = (): Awaitable<Response> => {
      if (given !== undefined) throw new Error('next() called multiple times')
      given = null
      const running = rest(ctx)
      given = running
      if (isPromise(running))
        // A middleware may respond, or fail, without waiting for the rest; then nobody sees an error of the rest
        running.then(
          (late) => {
            given = late
            if (answered) withoutBody(late)
          },
          (error) => {
            given = null
            if (answered) report(error)
          },
        )
      return running
    }
    const settle = (failed?: 1): typeof given => {
      answered = true
      if (isPromise(given)) ctx.raced = Math.min(depth, ctx.raced)
      // Of a late response nobody else knows
      else if (failed && given && ctx.raced < depth) withoutBody(given)
      return given
    }
    let answer: Awaitable<Response | void>
    try {
      answer = middleware(ctx, next)
    } catch (error) {
      settle(1)
      throw error
    }
    return isPromise(answer)
      ? answer.then(
          (late) => keep(late, ctx, middleware, depth, settle()),
          (error) => {
            settle(1)
            throw error
          },
        )
      : keep(answer, ctx, middleware, depth, settle())
  }
}

/**
 * `ctx.response` is always the newest response, as a copy for this request only, because the handler may return the
 * same response for another request. A response is late if an outer middleware has responded without waiting for it:
 * then that of the outer one is kept. What a middleware only passes on is such a copy already.
 */
const keep = (
  answer: Response | void,
  ctx: Slots,
  { name, passes }: Owner,
  depth: number,
  given: Awaitable<Response> | void | null,
): Response => {
  const late = ctx.raced < depth
  // Behind the back of an outer one, the newest response is that of the outer one
  let response: unknown = answer ?? ctx.adopted
  if (late && response === ctx.adopted) response = given
  if (!isResponse(response)) throw new TypeError(`${name || 'A middleware'} gave no Response, but ${typeof response}`)
  // The late response may be made of what `next()` gave, and of that nobody else knows
  if (late) return isPromise(given!) ? response : replace(given as Response, response)
  if (passes && response === given) return response
  return makeNewest(ctx, response)
}
