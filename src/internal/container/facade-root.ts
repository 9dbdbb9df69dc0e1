import { asyncLocal } from '#runtime/core'

interface ContainerView {
  make<T>(name: string): T
}

let root: ContainerView | undefined
let local: AsyncLocal<ContainerView> | undefined

/** The container of the current asynchronous context, else the one set last. */
export const facadeContainer = (): ContainerView | undefined => local?.getStore() ?? root

/** Set the container that facades use; `undefined` for none. `createApp` sets its own. */
export const setFacadeContainer = (container: ContainerView | undefined): void => {
  root = container
}

/** Run a task in whose asynchronous context facades use the container. */
export const runWithContainer = <T>(container: ContainerView, task: () => T): T => {
  local ??= asyncLocal<ContainerView>()
  return local.run(container, task)
}

/** A value of the current asynchronous context, as with Node's `AsyncLocalStorage`. */
export interface AsyncLocal<T> {
  run<R>(value: T, task: () => R): R
  getStore(): T | undefined
}
