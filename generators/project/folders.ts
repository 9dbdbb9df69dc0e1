import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configError } from '../errors.ts'
import { runsTypeScript } from './loader.ts'

/** The folders below `src/database`, and below `dist/database` in a build. */
export type DatabaseFolder = 'migrations' | 'seeds'

/**
 * The folder of the migrations or of the seeds: the given one, else the one of the sources, else the one of the build.
 * A production image has only the build, or sources that cannot run there.
 *
 * @param option `--folder`, from the project or absolute
 * @throws {CliError} with exit code 3 if there is none, because that would look like "nothing to do".
 */
export const databaseFolder = (root: string, kind: DatabaseFolder, option?: string): string => {
  if (option !== undefined) {
    const folder = resolve(root, option)
    if (isFolder(folder)) return folder
    throw configError(`--folder ${option}: there is no such folder below ${root}`)
  }
  const places = ['src', 'dist'].map((top) => `${top}/database/${kind}`)
  const chosen = sourceOrBuild(root, places)
  if (chosen !== undefined && isFolder(chosen)) return chosen
  throw configError(`There is neither ${places.join(' nor ')} in ${root}; --folder <path> names another folder`)
}

/** Whether a path is a folder; false if it does not exist. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * The first existing path whose modules this process can run, else the first existing one; absolute. TypeScript needs a
 * runtime or a package that runs it.
 *
 * @param places Paths of a file or a folder, from the project: those of the sources, then those of the build.
 */
export const sourceOrBuild = (root: string, places: readonly string[]): string | undefined => {
  const existing = places.map((place) => join(root, place)).filter(existsSync)
  return existing.find((path) => runsTypeScript(root) || !modulesOf(path).some(isTypeScript)) ?? existing[0]
}

const modulesOf = (path: string): readonly string[] =>
  isFolder(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [path]

const isTypeScript = (file: string): boolean => /(?<!\.d)\.[cm]?tsx?$/.test(file)
