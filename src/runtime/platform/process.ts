import type { AsyncLocal } from '../../internal/container/facade-root.ts'
import type { EnvFile } from '../contract.ts'

/** The process of Node, Bun or Deno. Node's modules are loaded when they are used: `node:fs` would open 35 files. */

/** A value for each asynchronous context. `_needed` is for runtimes that may not have one. */
export const asyncLocal = <T>(_needed?: string): AsyncLocal<T> => {
  const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
  return new AsyncLocalStorage<T>()
}

/** A variable of the process; for an inherited name such as `constructor` it may not be a string. */
export const readEnv = (name: string): unknown => process.env[name]

export const listEnv = (): Readonly<Record<string, string | undefined>> => process.env

export const envFile: EnvFile | undefined = {
  read(path) {
    try {
      return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  },
  write(name, value) {
    process.env[name] = value
  },
}

/** Used heap in bytes; `undefined` if the runtime does not report it. */
export const heapUsed: (() => number) | undefined = () => process.memoryUsage().heapUsed

/** True if timers and connections end with their request, which cannot close the socket of another one either. */
export const hasOwnTimers: boolean = false
