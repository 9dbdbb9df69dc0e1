import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareImports } from './import-order.ts'
import { toPascal } from './names.ts'
import { applicationPath } from './project.ts'
import type { PlannedFile } from './write.ts'

/** The marks in `src/routes.ts` before which new lines are inserted. */
const IMPORT_MARK = '// sluice: imports'
const CALL_MARK = '  // sluice: routes'
const ROUTES = 'src/routes.ts'

/** How a module of routes is registered. */
export interface Wiring {
  /** The edit of `src/routes.ts`; empty if it was already made, or is not possible. */
  readonly files: readonly PlannedFile[]
  /** What the user must write. */
  readonly advice: readonly string[]
}

/** Register the routes of a module in `src/routes.ts`, once. Without its marks, return the lines to write. */
export const wireRoutes = (root: string, module: string, register: string, folders: readonly string[]): Wiring => {
  const source = textOf(root, ROUTES)
  const alias = folders.length === 0 ? register : `${toCamelAlias(folders)}${toPascal([register])}`
  const imported = alias === register ? register : `${register} as ${alias}`
  const importLine = `import { ${imported} } from './${module.slice('src/'.length)}'`
  if (isImported(root, module)) return { files: [], advice: [] }
  const missing = [IMPORT_MARK, CALL_MARK].filter((mark) => !source?.includes(mark)).map((mark) => `"${mark.trim()}"`)
  if (source === undefined || missing.length > 0) {
    const lines = missing.length === 1 ? 'line' : 'lines'
    const reason = source === undefined ? 'the file does not exist' : `it has no ${lines} ${missing.join(' and ')}`
    return {
      files: [],
      advice: [
        `The routes are not registered in ${ROUTES}: ${reason}. Where the application is created, write:`,
        `  ${importLine}`,
        `  ${alias}(app)`,
      ],
    }
  }
  const contents = putImport(source, IMPORT_MARK, importLine).replace(CALL_MARK, () => `  ${alias}(app)\n${CALL_MARK}`)
  return { files: [{ path: ROUTES, contents, edit: true }], advice: [] }
}

/** True if a module below `src` is imported where routes are registered, or where the application is created. */
export const isImported = (root: string, module: string): boolean =>
  [ROUTES, applicationPath(root)].some((file) => textOf(root, file)?.includes(`/${module.slice('src/'.length)}'`))

const textOf = (root: string, file: string): string | undefined => {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** An import in one line, with its path. */
const IMPORT = /^import .* from '(.+)'$/

/**
 * Put an import before a mark, among the imports of the project's own modules that stand there: sorted if they are, so
 * that the linter has nothing to say, else last.
 */
export const putImport = (source: string, mark: string, line: string): string => {
  const at = source.indexOf(mark)
  const before = source.slice(0, at).split('\n').slice(0, -1)
  const first = before.findLastIndex((each) => !pathOf(each).startsWith('.')) + 1
  const own = before.slice(first)
  const isSorted = own.every((each, index) => index === 0 || compareImports(pathOf(own[index - 1]), pathOf(each)) <= 0)
  const later = isSorted ? own.findIndex((each) => compareImports(pathOf(line), pathOf(each)) < 0) : -1
  const place = later < 0 ? before.length : first + later
  return [...before.toSpliced(place, 0, line), source.slice(at)].join('\n')
}

/** The path of an import; empty for any other line. */
const pathOf = (line = ''): string => IMPORT.exec(line)?.[1] ?? ''

/** The folder is part of the name, so that `admin/User` and `User` do not collide. */
const toCamelAlias = (folders: readonly string[]): string => {
  const [first = '', ...rest] = folders.flatMap((folder) => folder.split('-'))
  return first + toPascal(rest)
}
