import { envFile, readEnv } from '#runtime/core'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { type DotenvEntry, parseDotenv } from './dotenv.ts'

/** Options of {@link loadEnv}. */
export interface LoadEnvOptions {
  /** The file, relative to the working directory. The other files are next to it. @default '.env' */
  readonly path?: string
  /** Also read `<path>.<mode>` and `<path>.<mode>.local`, such as `.env.production`. @default undefined */
  readonly mode?: string
  /** Let the files override existing variables of the process. @default false */
  readonly override?: boolean
  /**
   * Replace `${NAME}` and `${NAME:-default}` in values that are not single-quoted; a default may be a reference with a
   * default. `\${` stands for `${`. @default false
   */
  readonly expand?: boolean
}

/**
 * Load `.env`, `.env.local`, `.env.<mode>` and `.env.<mode>.local` into the environment of the process, synchronously.
 * Later files override earlier ones, and existing variables override all files. A missing file is not an error.
 *
 * @returns the variables of the files, in a record without a prototype
 * @throws {TypeError} for a bad option, such as a mode that is not letters, digits, `-` or `_`
 * @throws {Error} on a runtime without a file system
 * @example
 * loadEnv({ mode: env('NODE_ENV', 'development') })
 */
export const loadEnv = (options: LoadEnvOptions = {}): Record<string, string> => {
  const hint = 'use ctx.env, or bindEnv(env) and env(name)'
  if (!envFile) throw new Error(`loadEnv() needs a file system, and this runtime has none: ${hint}`)
  const { read, write } = envFile
  checkNames('loadEnv', options, 'path:string mode:string override:boolean expand:boolean')
  const { path = '.env', mode, override = false, expand = false } = options
  checkOption(mode === undefined || isMode(mode), 'loadEnv: mode', 'letters, digits, - or _, and not "local"', mode)
  const files = mode === undefined ? [path] : [path, `${path}.${mode}`]
  const entries = files.flatMap((file) => [file, `${file}.local`]).flatMap((file) => parseDotenv(read(file) ?? ''))
  const parsed: Record<string, string> = Object.create(null)
  for (const entry of entries) {
    parsed[entry.name] = expand
      ? expandValue(entry, (name) => (override ? parsed[name] : undefined) ?? processValue(name) ?? parsed[name])
      : entry.value
  }
  for (const [name, value] of Object.entries(parsed)) {
    if (override || processValue(name) === undefined) write(name, value)
  }
  return parsed
}

const processValue = (name: string): string | undefined => {
  const value = readEnv(name)
  return typeof value === 'string' ? value : undefined
}

const isMode = (mode: string): boolean => /^[\w-]+$/.test(mode) && mode !== 'local'

/** A reference, or an escaped one, which loses its backslash. Names refer to earlier lines, so there are no cycles. */
const REFERENCE = /\\\$\{|\$\{([\w.-]+)(?::-((?:[^${}]|\$\{[^${}]*\})*))?\}/g

const expandValue = ({ value, expandable }: DotenvEntry, lookUp: (name: string) => string | undefined): string => {
  const expand = (text: string): string =>
    text.replace(REFERENCE, (_, name?: string, fallback = '') =>
      name === undefined ? '${' : lookUp(name) || expand(fallback),
    )
  return expandable ? expand(value) : value
}
