import type { AsyncLocal } from '../../internal/container/facade-root.ts'

type Storage = new <T>() => AsyncLocal<T>

/**
 * A value for each asynchronous context, if the platform supports it, else for synchronous functions only. It is a
 * global class on edge-light, and one of Node on workerd with `nodejs_compat`. @throws {Error} if a feature needs it
 */
export const asyncLocal = <T>(needed?: string): AsyncLocal<T> => {
  const Platform: Storage | undefined =
    (globalThis as { readonly AsyncLocalStorage?: Storage }).AsyncLocalStorage ??
    globalThis.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  if (!Platform && needed)
    throw new Error(`${needed}: this runtime has no AsyncLocalStorage; on Cloudflare set the flag nodejs_compat`)
  return Platform ? new Platform<T>() : new SyncLocal<T>()
}

/** Holds the value while the function runs, and refuses a promise: the value would leak into concurrent work. */
class SyncLocal<T> implements AsyncLocal<T> {
  #value: T | undefined

  getStore(): T | undefined {
    return this.#value
  }

  run<R>(value: T, task: () => R): R {
    const previous = this.#value
    this.#value = value
    try {
      const result = task()
      if (!(result instanceof Promise)) return result
      result.catch(() => undefined)
      throw new Error('This runtime has no AsyncLocalStorage: withFacades() takes a synchronous function here')
    } finally {
      this.#value = previous
    }
  }
}
