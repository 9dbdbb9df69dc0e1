/** Text of a file, `undefined` when there is none. The import of `node:fs` would open 35 modules. */
export const readEnvFile = (path: string): string | undefined => {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Set a variable of the process. */
export const writeEnv = (name: string, value: string): void => {
  process.env[name] = value
}
