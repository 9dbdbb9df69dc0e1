import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { configError } from './errors.ts'
import { resolveFrom, stripsTypes } from './loader.ts'

/** The folders below `src/database`, and below `dist/database` in a build. */
export type DatabaseFolder = 'migrations' | 'seeds'

/**
 * The folder of the migrations or of the seeds: the given one, else the one of the sources, else the one of the build.
 * A production image has only the build, or sources that cannot run there.
 *
 * @param given `--folder`, from the project or absolute
 * @throws {CliError} with exit code 3 if there is none, because that would look like "nothing to do".
 */
export const databaseFolder = (root: string, kind: DatabaseFolder, given?: string): string => {
  if (given !== undefined) {
    const folder = resolve(root, given)
    if (isFolder(folder)) return folder
    throw configError(`--folder ${given}: there is no such folder below ${root}`)
  }
  const places = ['src', 'dist'].map((top) => `${top}/database/${kind}`)
  const folders = places.map((place) => join(root, place)).filter(isFolder)
  const chosen = folders.find((folder) => canRun(root, folder)) ?? folders[0]
  if (chosen !== undefined) return chosen
  throw configError(`There is neither ${places.join(' nor ')} in ${root}; --folder <path> names another folder`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** True if this process can run the files of a folder. TypeScript needs a runtime or a package that runs it. */
const canRun = (root: string, folder: string): boolean =>
  stripsTypes() ||
  resolveFrom(root, 'tsx') !== undefined ||
  resolveFrom(root, 'jiti') !== undefined ||
  !readdirSync(folder).some((file) => /(?<!\.d)\.[cm]?ts$/.test(file))
