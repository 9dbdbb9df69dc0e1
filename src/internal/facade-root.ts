import type { Container } from '../container.ts'

let root: Container | undefined
let scoped: () => Container | undefined = () => undefined

/** The container that facades ask now: that of {@link readScopedWith} first, else the one set last. */
export const facadeContainer = (): Container | undefined => scoped() ?? root

/**
 * Set the container that facades ask. `createApp` sets its own, so the last created application answers.
 *
 * @example
 * setFacadeContainer(undefined) // facades throw until an application is created
 */
export const setFacadeContainer = (container: Container | undefined): void => {
  root = container
}

/** Install the reader of the container that belongs to the running asynchronous context. */
export const readScopedWith = (read: () => Container | undefined): void => {
  scoped = read
}

/** A value that belongs to the running asynchronous context, as Node's `AsyncLocalStorage` keeps it. */
export interface AsyncLocal<T> {
  run<R>(value: T, task: () => R): R
  getStore(): T | undefined
}
