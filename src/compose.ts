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
): Chain =>
  middleware.reduceRight<Chain>(
    around,
    middleware.length
      ? (ctx) => {
          const depth = enter(ctx)
          const answer = handler(ctx)
          return isPromise(answer)
            ? answer.then((late) => keep(ctx, late, name, depth))
            : keep(ctx, answer, name, depth)
        }
      : // Nobody sees the answer of a handler that stands alone, so it need not be kept
        (ctx) => {
          const answer = handler(ctx)
          return isPromise(answer)
            ? answer.then((late) => checked(late ?? ctx.response, name))
            : checked(answer ?? ctx.response, name)
        },
  )

/** Count how deep the chain is: calls go inwards only, since `next()` can be called once. */
const enter = (ctx: Context): number => {
  const slots = ctx as unknown as BaseContext
  slots.depth++
  return slots.depth
}

const around = (rest: Chain, middleware: Middleware): Chain => {
  const name = middleware.name || 'A middleware'
  return (ctx) => {
    const depth = enter(ctx)
    let called = false
    let waiting = false
    let answered = false
    let given: Awaitable<Response> | undefined
    const next = (): Awaitable<Response> => {
      if (called) throw new Error('next() called multiple times')
      called = true
      given = rest(ctx)
      if (isPromise(given)) {
        waiting = true
        // A middleware may answer, or fail, without waiting for the rest, which then has nobody to tell
        given.then(
          (late) => {
            waiting = false
            given = late
            if (answered) withoutBody(late)
          },
          (error) => {
            waiting = false
            if (answered) report(error)
          },
        )
      }
      return given
    }
    const settle = (): void => {
      answered = true
      const slots = ctx as unknown as BaseContext
      if (waiting) slots.raced = Math.min(depth, slots.raced)
    }
    let answer: Awaitable<Response | void>
    try {
      answer = middleware(ctx, next)
    } catch (error) {
      settle()
      throw error
    }
    if (isPromise(answer))
      return answer.then(
        (last) => {
          settle()
          return keep(ctx, last, name, depth, given)
        },
        (error) => {
          settle()
          throw error
        },
      )
    settle()
    return keep(ctx, answer, name, depth, given)
  }
}

/**
 * `ctx.response` is always the newest, in a copy that nobody else has: whoever gave it may keep it for another request.
 * An answer is late if a middleware further out has answered without waiting for it: that one stays.
 */
const keep = (ctx: Context, answer: Response | void, name: string, depth: number, given?: unknown): Response => {
  const slots = ctx as unknown as BaseContext
  if (slots.raced < depth) return checked(answer ?? (given as Response), name)
  const copy = adopt(checked(answer ?? ctx.response, name))
  slots.adopted = copy
  ctx.response = copy
  return copy
}

const checked = (answer: Response | void | undefined, name: string): Response => {
  if (!isResponse(answer))
    throw new TypeError(`${name} gave no Response${answer === undefined ? '' : `, but ${typeof answer}`}`)
  return answer
}
