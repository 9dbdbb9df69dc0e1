import type { Awaitable } from '../context.ts'

/**
 * Whether there is something to wait for. Not `instanceof`: that walks the prototypes of our lazy classes, and the platform's, which are among them, load when
 * they are first looked at.
 */
export const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | undefined | null)?.then === 'function'

/** Go on with a value: at once when it is here, so that what is synchronous stays so, else when it comes. */
export const after = <T, R>(value: Awaitable<T>, go: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? Promise.resolve(value).then(go) : go(value)
