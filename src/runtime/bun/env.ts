export { listEnv, readEnv } from '../platform/process-env.ts'
