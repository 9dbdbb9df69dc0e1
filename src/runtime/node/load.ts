export { heapUsed } from '../platform/process-load.ts'
