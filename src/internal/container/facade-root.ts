/** The container of an application, as a facade sees it. */
interface Makes {
  make<T>(name: string): T
}

let root: Makes | undefined
let scoped: () => Makes | undefined = () => undefined

/** The container that facades ask now: that of {@link readScopedWith} first, else the one set last. */
export const facadeContainer = (): Makes | undefined => scoped() ?? root

/**
 * Set the container that facades ask. `createApp` sets its own, so the last created application answers.
 *
 * @example
 * setFacadeContainer(undefined) // facades throw until an application is created
 */
export const setFacadeContainer = (container: Makes | undefined): void => {
  root = container
}

/** Install the reader of the container that belongs to the running asynchronous context. */
export const readScopedWith = (read: () => Makes | undefined): void => {
  scoped = read
}

/** A value that belongs to the running asynchronous context, as Node's `AsyncLocalStorage` keeps it. */
export interface AsyncLocal<T> {
  run<R>(value: T, task: () => R): R
  getStore(): T | undefined
}
