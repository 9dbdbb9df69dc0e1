import { AsyncLocalStorage } from 'node:async_hooks'
import type { AsyncLocal } from '../../internal/container/facade-root.ts'

/** A value for each asynchronous context. `_needed` is for runtimes that may not have one. */
export const asyncLocal = <T>(_needed?: string): AsyncLocal<T> => new AsyncLocalStorage<T>()
