import { textOf } from '../property.ts'

/** Import an optional package. @throws {Error} that says what to install, if it is missing */
export const loadDriver = async <T>(name: string, database: string, load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new Error(`${database} needs the package ${name}: npm install ${name}`, { cause: error })
  }
}

/** True if this package is missing, and not a package that it imports. */
export const isMissing = (error: unknown, name: string): boolean => {
  const words = textOf(error, 'message').split(/[\s'"]+/)
  return MISSING.has(textOf(error, 'code')) && words.includes(name)
}

const MISSING: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_UNKNOWN_BUILTIN_MODULE',
])
