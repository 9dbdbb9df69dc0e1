import type { LoadRuntime } from '../contract.ts'

/** Used heap in bytes. */
export const heapUsed: LoadRuntime['heapUsed'] = () => process.memoryUsage().heapUsed

export const hasOwnTimers: LoadRuntime['hasOwnTimers'] = false
