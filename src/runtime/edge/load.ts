import type { LoadRuntime } from '../contract.ts'

/** Nobody tells here: the platform watches the isolate itself. */
export const heapUsed: LoadRuntime['heapUsed'] = undefined
