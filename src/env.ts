export * from './env/define-env.ts'
export { allEnv, bindEnv, env, envBool, envInt, envList } from './env/env.ts'
export { type LoadEnvOptions, loadEnv } from './env/load-env.ts'
