import { AsyncLocalStorage } from 'node:async_hooks'
import type { AsyncLocal } from '../../internal/facade-root.ts'

/** A value for each asynchronous context. */
export const asyncLocal = <T>(): AsyncLocal<T> => new AsyncLocalStorage<T>()
