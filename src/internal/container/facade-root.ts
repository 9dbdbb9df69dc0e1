interface ContainerView {
  make<T>(name: string): T
}

let root: ContainerView | undefined
let scoped: () => ContainerView | undefined = () => undefined

/** The container of the current asynchronous context, else the one set last. */
export const facadeContainer = (): ContainerView | undefined => scoped() ?? root

/** Set the container that facades use; `undefined` for none. `createApp` sets its own. */
export const setFacadeContainer = (container: ContainerView | undefined): void => {
  root = container
}

/** @param read returns the container of the current asynchronous context */
export const readScopedWith = (read: () => ContainerView | undefined): void => {
  scoped = read
}

/** A value of the current asynchronous context, as with Node's `AsyncLocalStorage`. */
export interface AsyncLocal<T> {
  run<R>(value: T, task: () => R): R
  getStore(): T | undefined
}
