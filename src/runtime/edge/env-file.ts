const refuse = (): never => {
  throw new Error(
    'loadEnv() needs a file system, and this runtime has none: use ctx.env, or bindEnv(env) and env(name)',
  )
}

/** The edge has no files. */
export const readEnvFile: (path: string) => string | undefined = refuse

/** The edge has no process. */
export const writeEnv: (name: string, value: string) => void = refuse
