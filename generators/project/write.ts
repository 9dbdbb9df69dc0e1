import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { failure, usageError } from '../errors.ts'

/** A file to write. Its path is relative to the project, with `/` between folders. */
export interface PlannedFile {
  readonly path: string
  readonly contents: string
  /** The contents are an edit of the existing file, which may be replaced. @default false */
  readonly edit?: boolean
}

/** What happened to a file, or would happen without `--dry-run`. */
export interface WrittenFile {
  readonly path: string
  readonly action: 'create' | 'overwrite' | 'update' | 'identical' | 'exists'
}

/** Options of {@link writeFiles}. */
export interface WriteOptions {
  /** Replace files that exist with other contents. @default false */
  readonly force?: boolean
  /** Only say what would be done. @default false */
  readonly dryRun?: boolean
}

/**
 * Write files into a project, each completely or not at all. Existing files with other contents are kept unless forced.
 *
 * Everything is synchronous: an interrupt takes effect after the last file, not in the middle of one.
 *
 * @throws {CliError} with exit code 2 for a path outside of the project, 1 if writing fails. Then the files of this run
 * are removed again.
 */
export const writeFiles = (root: string, files: readonly PlannedFile[], options: WriteOptions = {}): WrittenFile[] => {
  const { force = false, dryRun = false } = options
  for (const file of files) assertInside(root, file.path)
  const outcome = examine(root, files, force)
  if (!dryRun)
    carryOut(
      root,
      files.map((file) => (file.edit ? withLinesOf(root, file) : file)),
      outcome,
    )
  return outcome
}

/** The edit of a file with the line ends that the file has. */
const withLinesOf = (root: string, file: PlannedFile): PlannedFile => {
  const path = join(root, file.path)
  const hasBoth = existsSync(path) && readFileSync(path, 'utf8').includes('\r\n')
  return hasBoth ? { ...file, contents: file.contents.replaceAll(/\r?\n/g, '\r\n') } : file
}

const examine = (root: string, files: readonly PlannedFile[], force: boolean): WrittenFile[] => {
  try {
    return files.map((file) => ({ path: file.path, action: actionFor(join(root, file.path), file, force) }))
  } catch (error) {
    throw nothingWritten(error)
  }
}

const nothingWritten = (error: unknown): Error =>
  failure(`Nothing was written: ${error instanceof Error ? error.message : String(error)}`, error)

const actionFor = (path: string, { contents, edit = false }: PlannedFile, force: boolean): WrittenFile['action'] => {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return 'create'
  if (status.isFile() && readFileSync(path, 'utf8') === contents) return 'identical'
  if (edit && status.isFile()) return 'update'
  return force && status.isFile() ? 'overwrite' : 'exists'
}

const carryOut = (root: string, files: readonly PlannedFile[], outcome: readonly WrittenFile[]): void => {
  const undo: (() => void)[] = []
  try {
    files.forEach((file, index) => {
      const action = outcome[index]?.action
      if (action === 'identical' || action === 'exists' || action === undefined) return
      undo.push(...place(join(root, file.path), file.contents, action === 'create'))
    })
  } catch (error) {
    for (const step of undo.reverse()) step()
    throw nothingWritten(error)
  }
}

/** Write one file. @returns the functions that undo it, in the order of the steps */
const place = (path: string, contents: string, isNew: boolean): (() => void)[] => {
  const made = makeFolder(dirname(path))
  const draft = join(dirname(path), `.${process.pid}.${Date.now().toString(36)}.draft`)
  const previous = isNew ? undefined : readFileSync(path)
  try {
    writeFileSync(draft, contents, { flag: 'wx' })
    // A hard link never replaces a file, even one that appeared a moment ago; a rename would.
    if (isNew) linkOrRename(draft, path)
    else renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    for (const folder of made.reverse()) rmdirSync(folder)
    throw error
  }
  const removeFolders = made.map((folder) => () => rmdirSync(folder))
  return [
    ...removeFolders,
    () => (previous === undefined ? rmSync(path, { force: true }) : writeFileSync(path, previous)),
  ]
}

/**
 * Create a folder and its parents. Node's own recursive `mkdir` does not end where the system says ENOENT for a folder
 * in an existing one, as in `/proc`.
 *
 * @returns the new ones, outermost first
 */
export const makeFolder = (path: string): string[] => {
  // A drive that is not there has nothing above it
  if (existsSync(path) || dirname(path) === path) return []
  const above = makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it meanwhile
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return above
    for (const folder of above.reverse()) rmdirSync(folder)
    throw error
  }
  return [...above, path]
}

/** Some file systems have no hard links: there, the earlier check of the target must suffice. */
const linkOrRename = (draft: string, path: string): void => {
  try {
    linkSync(draft, path)
    rmSync(draft)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || existsSync(path)) throw error
    renameSync(draft, path)
  }
}

/** Refuse a path that leaves the project, by its text or by a link in one of its folders. */
const assertInside = (root: string, path: string): void => {
  const outside = isAbsolute(path) || path.includes('\0') || relative(root, join(root, path)).split(sep)[0] === '..'
  if (outside) throw usageError(`"${path}" is outside of the project`)
  if (!existsSync(root)) return
  const real = realpathSync(root)
  let folder = dirname(join(root, path))
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  if (relative(real, realpathSync(folder)).split(sep)[0] === '..') {
    throw usageError(`"${path}" is outside of the project: ${folder} leads to ${realpathSync(folder)}`)
  }
}
