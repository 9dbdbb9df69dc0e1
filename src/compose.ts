import type { Awaitable, Context, Middleware } from './context.ts'
import { isPromise } from './internal/awaitable.ts'

/** A chain that is ready to run. */
export type Run = (ctx: Context) => Awaitable<Response>

/** A handler whose answer is not known to be one yet. */
export type Step = (ctx: Context) => Awaitable<Response | void>

/**
 * Fold middleware around a handler: the first is the outermost. Stays synchronous as long as every step is.
 *
 * A step that returns nothing leaves `ctx.response` as the answer; one that returns a response replaces it.
 *
 * @throws {TypeError} when run, if no step gives a response. @throws {Error} when a step calls `next()` twice.
 * @example
 * const run = compose([cors()], () => text('hello'))
 */
export const compose = (middleware: readonly Middleware[], handler: Step, name = 'The handler'): Run =>
  middleware.length
    ? middleware.reduceRight<Run>(around, (ctx) => settle(ctx, handler(ctx), name))
    : alone(handler, name)

/** A handler that nobody stands around: its answer need not be kept. */
const alone =
  (handler: Step, name: string): Run =>
  (ctx) => {
    const answer = handler(ctx)
    return isPromise(answer) ? answer.then((settled) => assertResponse(settled, name)) : assertResponse(answer, name)
  }

const around = (rest: Run, step: Middleware): Run => {
  const name = `Middleware ${step.name || 'without a name'}`
  return (ctx) => {
    let called = false
    const next = () => {
      if (called) throw new Error('next() called multiple times')
      called = true
      return rest(ctx)
    }
    return settle(ctx, step(ctx, next), name)
  }
}

const settle = (ctx: Context, answer: Awaitable<Response | void>, name: string): Awaitable<Response> =>
  isPromise(answer) ? answer.then((settled) => keep(ctx, settled, name)) : keep(ctx, answer, name)

/** `ctx.response` is always the newest. */
const keep = (ctx: Context, answer: Response | void, name: string): Response => {
  if (answer && answer !== ctx.response) ctx.response = assertResponse(answer, name)
  return assertResponse(ctx.response, name)
}

const assertResponse = (answer: Response | void, name: string): Response => {
  if (!isResponse(answer)) throw new TypeError(`${name} gave no Response`)
  return answer
}

/** Whether a step answered. Not `instanceof`: see {@link isPromise}. */
export const isResponse = (answer: Response | void): answer is Response =>
  typeof answer?.status === 'number' && 'headers' in answer
