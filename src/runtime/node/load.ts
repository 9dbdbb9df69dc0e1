export { hasOwnTimers, heapUsed } from '../platform/process-load.ts'
