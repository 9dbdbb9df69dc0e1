export {
  type DefineEnvOptions,
  defineEnv,
  EnvError,
  type EnvIssue,
  type EnvOf,
  type EnvSchema,
  type EnvShape,
} from './env/define-env.ts'
export { allEnv, bindEnv, env, envBool, envInt, envList } from './env/env.ts'
export { type LoadEnvOptions, loadEnv } from './env/load-env.ts'
