import { lstatSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { usageError } from '../errors.ts'
import { type PlannedFile, writeFiles } from '../project/write.ts'
import type { Bundle } from './bundle.ts'

/** The first line of a built file, by which a later build knows that it may replace it. */
export const MARK = '// Built by sluice build'

/**
 * The folder for the file, absolute.
 *
 * @throws {CliError} with exit code 2 if it is the project itself, outside of it, a file, or belongs to git or npm.
 */
export const readOut = (root: string, out: string): string => {
  const folder = resolve(root, out)
  const names = relative(resolve(root), folder).split(sep)
  const isOwn = isInside(root, folder) && folder !== resolve(root) && !names.some((name) => RESERVED.includes(name))
  if (!isOwn) throw usageError(`--out must be a folder in the project, such as build, not ${JSON.stringify(out)}`)
  const status = lstatSync(folder, { throwIfNoEntry: false })
  if (status?.isFile()) throw usageError(`--out ${out} is a file: use another folder`)
  return folder
}

/** Folders whose files belong to another tool. */
const RESERVED: readonly string[] = ['node_modules', '.git']

const isInside = (folder: string, path: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)

/** A source file is never overwritten, whatever the folder. */
export const assertApart = (root: string, out: string, { metafile }: Bundle): void => {
  const source = Object.keys(metafile.inputs).find((path) => isInside(out, resolve(root, path)))
  if (source !== undefined) throw usageError(`--out contains the source file ${source}: use another folder`)
}

/**
 * A build may replace an earlier build, but no file that came from elsewhere.
 *
 * @param module The path of the built file, absolute.
 */
export const assertBuilt = (root: string, module: string, files: readonly PlannedFile[]): void => {
  if (isBuilt(module)) return
  const other = writeFiles(root, files, { dryRun: true }).find(({ action }) => action === 'exists')
  if (other === undefined) return
  throw usageError(`${other.path} exists, and is not from a build: use another folder than ${folderOf(root, module)}`)
}

const isBuilt = (module: string): boolean => {
  if (!lstatSync(module, { throwIfNoEntry: false })?.isFile()) return false
  const [first, second] = readFileSync(module, 'utf8').split('\n', 2)
  return first === MARK || (first?.startsWith('#!') === true && second === MARK)
}

const folderOf = (root: string, module: string): string =>
  relative(root, join(module, '..')).replaceAll('\\', '/') || basename(root)
