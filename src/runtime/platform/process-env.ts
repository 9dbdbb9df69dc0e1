import type { EnvFile } from '../contract.ts'

/** A variable of the process; for an inherited name such as `constructor` it may not be a string. */
export const readEnv = (name: string): unknown => process.env[name]

/** All variables of the process. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => process.env

export const envFile: EnvFile | undefined = {
  // The import of `node:fs` would open 35 modules
  read(path) {
    try {
      return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  },
  write(name, value) {
    process.env[name] = value
  },
}
