import { asyncLocal } from '#runtime/core'
import type { AsyncLocal } from './internal/container/facade-root.ts'
import type { AnyContext, Context, Middleware } from './internal/types/context.ts'

/** The context of the current request, for all applications: a function may be called by any of them. */
let local: AsyncLocal<Context> | undefined

/**
 * Let functions get the context with {@link currentContext}, instead of passing it to them.
 *
 * @throws {Error} when created, on a runtime without `AsyncLocalStorage`.
 * @example
 * createApp().use(contextStorage()).get('/', () => text(greet()))
 * const greet = () => `hello ${currentContext().query.get('name')}`
 */
export const contextStorage = (): Middleware => {
  local ??= asyncLocal('contextStorage')
  const storage = local
  return function contextStorage(ctx, next) {
    return storage.run(ctx as Context, next)
  }
}

/**
 * The context of the request that runs this function, even after an `await`.
 *
 * @throws {Error} outside a request, or in one that has not passed {@link contextStorage}.
 * @example
 * const id = currentContext().state.requestId
 */
export const currentContext = <Ctx extends AnyContext = Context>(): Ctx => {
  const ctx = local?.getStore()
  if (!ctx) throw new Error('currentContext: called outside a request, or contextStorage() did not run before')
  return ctx as Ctx
}
