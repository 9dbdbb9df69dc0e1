import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { failure, usageError } from '../errors.ts'

/** A file to write. Its path is relative to the project, with `/` between folders. */
export interface PlannedFile {
  readonly path: string
  readonly contents: string
  /** The contents are an edit of the existing file, which may be replaced. @default false */
  readonly edit?: boolean
}

/** Files to write, and in lines what then remains for the user to do. */
export interface FilePlan {
  readonly files: readonly PlannedFile[]
  readonly advice: readonly string[]
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
 * @throws {CliError} with exit code 2 for a path outside of the project, 1 if a file cannot be written. Those before it
 * are written then, and are identical in the next run.
 */
export const writeFiles = (root: string, files: readonly PlannedFile[], options: WriteOptions = {}): WrittenFile[] => {
  for (const { path } of files) assertInside(root, path)
  return files.map((file) => {
    try {
      return { path: file.path, action: writeFile(join(root, file.path), file, options) }
    } catch (error) {
      throw failure(`${file.path} was not written: ${(error as Error).message}`, error)
    }
  })
}

const writeFile = (
  path: string,
  { contents, edit = false }: PlannedFile,
  { force = false, dryRun = false }: WriteOptions,
): WrittenFile['action'] => {
  const status = lstatSync(path, { throwIfNoEntry: false })
  const before = status?.isFile() ? readFileSync(path, 'utf8') : undefined
  if (before === contents) return 'identical'
  if (status !== undefined && (before === undefined || !(edit || force))) return 'exists'
  // An edit has the line ends that the file has
  if (!dryRun) place(path, edit && before?.includes('\r\n') ? contents.replaceAll(/\r?\n/g, '\r\n') : contents)
  return before === undefined ? 'create' : edit ? 'update' : 'overwrite'
}

/**
 * Write a file, and its folder if that is missing.
 *
 * @param label the path in the message, as the user wrote it
 * @throws {CliError} with exit code 1 if it cannot be written.
 */
export const writeText = (path: string, text: string, label: string = path): void => {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    throw failure(`${label} cannot be written: ${(error as Error).message}`, error)
  }
}

/** Write a draft beside the file, and rename it. */
const place = (path: string, contents: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.${process.pid}.${Date.now().toString(36)}.draft`)
  try {
    writeFileSync(draft, contents, { flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Refuse a path that leaves the project. */
const assertInside = (root: string, path: string): void => {
  if (isAbsolute(path) || path.includes('\0') || relative(root, join(root, path)).split(sep)[0] === '..')
    throw usageError(`"${path}" is outside of the project`)
}
