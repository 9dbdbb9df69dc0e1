/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>

/** `instanceof` would walk the prototypes of our lazy classes, and load the platform's classes among them. */
export const isPromise = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | undefined | null)?.then === 'function'

/** Continue with a value: at once if it is not a promise, so that synchronous code stays synchronous. */
export const whenResolved = <T, R>(value: Awaitable<T>, run: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? value.then(run) : run(value)

/** Call a function, then `onResult` with its result, or `onError` with what it throws or rejects with. */
export const tryCall = <Ctx, T, R = T, More = unknown>(
  run: (ctx: Ctx, more: More) => Awaitable<T>,
  ctx: Ctx,
  onError: (error: unknown, ctx: Ctx) => Awaitable<R>,
  onResult: (value: T, ctx: Ctx) => Awaitable<R> = (value) => value as unknown as R,
  more?: More,
): Awaitable<R> => {
  try {
    const value = run(ctx, more!)
    return isPromise(value)
      ? value.then(
          (late) => onResult(late, ctx),
          (error) => onError(error, ctx),
        )
      : onResult(value, ctx)
  } catch (error) {
    return onError(error, ctx)
  }
}

/** Call a function, and note what it throws or rejects with. The error is passed on. */
export const noteError = <T>(run: () => Awaitable<T>, note: (error: unknown) => void): Awaitable<T> =>
  tryCall(run, undefined, (error) => {
    note(error)
    throw error
  })

/** Keep the error of a promise that is not awaited from ending the process. Code that awaits it still gets it. */
export const markHandled = <T>(value: Awaitable<T>): Promise<T> => {
  const promise = Promise.resolve(value)
  promise.catch(() => {})
  return promise
}
