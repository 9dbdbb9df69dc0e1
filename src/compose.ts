import { adopt, withoutBody } from '#runtime/response'
import type { Awaitable, Context, Middleware } from './context.ts'
import { isPromise } from './internal/awaitable.ts'
import type { BaseContext } from './internal/context/base-context.ts'
import { report } from './internal/error/report.ts'
import { isResponse } from './internal/is-response.ts'

/** A chain that is ready to run. */
export type Chain = (ctx: Context) => Awaitable<Response>

/** A handler that may have answered by setting `ctx.response`. */
type LooseHandler = (ctx: Context) => Awaitable<Response | void>

/** The context, and what a chain notes on it. */
type Slots = Context & Pick<BaseContext, 'depth' | 'raced' | 'adopted'>

/** Who gives an answer. */
type Owner = { readonly name: string; readonly passes?: boolean }

type SlotChain = (ctx: Slots) => Awaitable<Response>

/**
 * Fold middleware around a handler: the first is the outermost. Stays synchronous as long as everyone is.
 *
 * A middleware that returns nothing leaves `ctx.response` as the answer; one that returns a response replaces it.
 *
 * @throws {TypeError} when run, if nobody gives a response. @throws {Error} if a middleware calls `next()` twice.
 * @example
 * const answer = compose([cors()], () => text('hello'))
 */
export const compose = (
  middleware: readonly Middleware<any, any>[], // any: a list may hold middleware of every state
  handler: LooseHandler,
  name = 'The handler',
): Chain => {
  // Nobody looks at the answer of such a handler, so it need not be kept
  const owner = { name, passes: middleware.every((one) => one.passes) }
  return middleware.reduceRight<SlotChain>(around, (ctx) => {
    const depth = enter(ctx)
    const answer = handler(ctx)
    return isPromise(answer)
      ? answer.then((late) => keep(late, ctx, owner, depth, late))
      : keep(answer, ctx, owner, depth, answer)
  }) as Chain
}

/** Count how deep the chain is: calls go inwards only, since `next()` can be called once. */
const enter = (ctx: Slots): number => {
  ctx.depth++
  return ctx.depth
}

const around = (rest: SlotChain, middleware: Middleware): SlotChain => {
  return (ctx) => {
    const depth = enter(ctx)
    let answered = false
    // What `next()` gave: `null` as long as it runs, and if it failed
    let given: Awaitable<Response> | null | undefined
    const next = (): Awaitable<Response> => {
      if (given !== undefined) throw new Error('next() called multiple times')
      given = null
      const running = rest(ctx)
      given = running
      if (isPromise(running))
        // A middleware may answer, or fail, without waiting for the rest, which then has nobody to tell
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
    const settle = (): typeof given => {
      answered = true
      if (isPromise(given)) ctx.raced = Math.min(depth, ctx.raced)
      return given
    }
    let answer: Awaitable<Response | void>
    try {
      answer = middleware(ctx, next)
    } catch (error) {
      settle()
      throw error
    }
    return isPromise(answer)
      ? answer.then(
          (late) => keep(late, ctx, middleware, depth, settle()),
          (error) => {
            settle()
            throw error
          },
        )
      : keep(answer, ctx, middleware, depth, settle())
  }
}

/**
 * `ctx.response` is always the newest, in a copy that nobody else has: whoever gave it may keep it for another request.
 * An answer is late if a middleware further out has answered without waiting for it: that one stays. What a middleware
 * only passes on is such a copy already.
 */
const keep = (
  answer: Response | void,
  ctx: Slots,
  { name, passes }: Owner,
  depth: number,
  given: unknown,
): Response => {
  const late = ctx.raced < depth
  const response = answer ?? (late ? given : ctx.response)
  if (!isResponse(response)) throw new TypeError(`${name || 'A middleware'} gave no Response, but ${typeof response}`)
  if (late || (passes && response === given)) return response
  const copy = adopt(response)
  ctx.adopted = copy
  ctx.response = copy
  return copy
}
