import type { EnvFile } from '../contract.ts'

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
