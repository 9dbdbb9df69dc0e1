const refuse = (): never => {
  throw new Error(
    'loadEnv() needs a file system, and this runtime has none: use ctx.env, or bindEnv(env) and env(name)',
  )
}

/** There are no files here. */
export const readEnvFile: (path: string) => string | undefined = refuse

/** There is no process here. */
export const writeEnv: (name: string, value: string) => void = refuse
