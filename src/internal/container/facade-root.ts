/** The container of an application, as a facade sees it. */
interface Makes {
  make<T>(name: string): T
}

let root: Makes | undefined
let scoped: () => Makes | undefined = () => undefined

/** The container that facades use now: that of {@link readScopedWith}, else the one set last. */
export const facadeContainer = (): Makes | undefined => scoped() ?? root

/**
 * Set the container that facades use. `createApp` sets its own, so facades use the application that was created last.
 *
 * @example
 * setFacadeContainer(undefined) // facades throw until an application is created
 */
export const setFacadeContainer = (container: Makes | undefined): void => {
  root = container
}

/** Set the function that returns the container of the current asynchronous context. */
export const readScopedWith = (read: () => Makes | undefined): void => {
  scoped = read
}

/** A value of the current asynchronous context, as with Node's `AsyncLocalStorage`. */
export interface AsyncLocal<T> {
  run<R>(value: T, task: () => R): R
  getStore(): T | undefined
}
