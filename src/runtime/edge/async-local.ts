import type { AsyncLocal } from '../../internal/container/facade-root.ts'

type Storage = new <T>() => AsyncLocal<T>

/**
 * The two forms of an edge platform: a global class (edge-light), or Node's module by name (workerd with
 * `nodejs_compat`).
 */
interface Platform {
  readonly AsyncLocalStorage?: Storage
  readonly process?: { getBuiltinModule?(name: string): { readonly AsyncLocalStorage: Storage } | undefined }
}

/**
 * A value for each asynchronous context, if the platform supports it, else for synchronous functions only.
 *
 * @param needed the feature that requires it @throws {Error} if the platform cannot, and a feature needs it.
 */
export const asyncLocal = <T>(needed?: string): AsyncLocal<T> => {
  const platform = globalThis as Platform
  const Provided =
    platform.AsyncLocalStorage ?? platform.process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage
  if (Provided === undefined && needed)
    throw new Error(`${needed}: this runtime has no AsyncLocalStorage; on Cloudflare set the flag nodejs_compat`)
  return Provided === undefined ? new SyncLocal<T>() : new Provided<T>()
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
      if (result instanceof Promise) {
        result.catch(() => undefined)
        throw new Error('This runtime has no AsyncLocalStorage: withFacades() takes a synchronous function here')
      }
      return result
    } finally {
      this.#value = previous
    }
  }
}
