export { readEnvFile, writeEnv } from '../platform/process-env-file.ts'
