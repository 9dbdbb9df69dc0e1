import type { AsyncLocal } from '../../internal/container/facade-root.ts'

/**
 * A value for each asynchronous context, with a module that is loaded at first use. `_needed` is for runtimes that may
 * not have one.
 */
export const asyncLocal = <T>(_needed?: string): AsyncLocal<T> => {
  const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
  return new AsyncLocalStorage<T>()
}
