import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPascal } from '../names/names.ts'
import { applicationPath } from './project.ts'
import type { FilePlan } from './write.ts'

/** The marks in `src/routes.ts` before which new lines are inserted. */
const IMPORT_MARK = '// sluice: imports'
const ROUTES_MARK = /^[ \t]*\/\/ sluice: routes/m
const ROUTES = 'src/routes.ts'

/**
 * Mount the routes of a module in `src/routes.ts`, once: there are no files if it is done already.
 * Without its marks, the advice has the lines to write.
 *
 * @param name What the module exports: an application.
 * @param call `()` if it exports a function that returns the application.
 */
export const wireRoutes = (
  root: string,
  module: string,
  name: string,
  folders: readonly string[],
  call: '' | '()' = '',
): FilePlan => {
  if (isImported(root, module)) return { files: [], advice: [] }
  const source = textOf(root, ROUTES)
  const alias = folders.length === 0 ? name : `${toCamelAlias(folders)}${toPascal([name])}`
  const imported = alias === name ? name : `${name} as ${alias}`
  const importLine = `import { ${imported} } from './${module.slice('src/'.length)}'`
  const mount = `.mount('/', ${alias}${call})`
  if (source === undefined || !source.includes(IMPORT_MARK) || !ROUTES_MARK.test(source)) {
    const reason =
      source === undefined ? 'the file does not exist' : `it needs the lines "${IMPORT_MARK}" and "// sluice: routes"`
    return {
      files: [],
      advice: [
        `The routes are not mounted in ${ROUTES}: ${reason}. Where the application is created, write:`,
        `  ${importLine}`,
        `  ${mount}`,
      ],
    }
  }
  const contents = source
    .replace(IMPORT_MARK, () => `${importLine}\n${IMPORT_MARK}`)
    .replace(ROUTES_MARK, (mark) => `  ${mount}\n${mark}`)
  return { files: [{ path: ROUTES, contents, edit: true }], advice: [] }
}

/** True if a module below `src` is imported where routes are registered, or where the application is created. */
export const isImported = (root: string, module: string): boolean =>
  [ROUTES, applicationPath(root)].some((file) => textOf(root, file)?.includes(`/${module.slice('src/'.length)}'`))

const textOf = (root: string, file: string): string | undefined => {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined
}

/** The folder is part of the name, so that `admin/User` and `User` do not collide. */
const toCamelAlias = (folders: readonly string[]): string => {
  const [first = '', ...rest] = folders.flatMap((folder) => folder.split('-'))
  return first + toPascal(rest)
}
