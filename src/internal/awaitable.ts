import type { Awaitable } from '../context.ts'

/** Whether there is something to wait for. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined | null)?.then === 'function'

/** Go on with a value: at once when it is here, so that what is synchronous stays so, else when it comes. */
export const after = <T, R>(value: Awaitable<T>, go: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? Promise.resolve(value as PromiseLike<T>).then(go) : go(value as T)
