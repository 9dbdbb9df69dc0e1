import process from 'node:process'
import type { LoadRuntime } from '../contract.ts'

/** Bytes of the heap that are in use. */
export const heapUsed: LoadRuntime['heapUsed'] = () => process.memoryUsage().heapUsed
