import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files below `src/app/models`, each with a table that it names. */
export const tablesOfModels = (root: string): readonly (readonly [file: string, table: string])[] => {
  const folder = join(root, 'src/app/models')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .sort()
    .flatMap((file) => {
      const tables = readFileSync(join(folder, file), 'utf8').matchAll(TABLE)
      return Array.from(tables, ([, given, defined = '']) => [file, given ?? defined] as const)
    })
}

/** A table that a class names in its body, or in `Model.define`. */
const TABLE = /\btableName\b[^=\n]*= *['"`](\w+)|\bModel\.define\(\s*['"`](\w+)/g
