import type { LoadRuntime } from '../contract.ts'

/** Not available: the platform itself monitors the isolate. */
export const heapUsed: LoadRuntime['heapUsed'] = undefined

export const hasOwnTimers: LoadRuntime['hasOwnTimers'] = true
