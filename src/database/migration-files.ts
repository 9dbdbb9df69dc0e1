import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type LoadFile, MigrationError } from './migration.ts'
import { messageOf } from './unreachable.ts'

/** A file of the migration or seed folder. */
export interface SourceFile {
  /** File name without extension. */
  readonly name: string
  /** Absolute path. */
  readonly file: string
  /** Extension and SHA-256 of the text, so that `x.ts` and the `x.js` compiled from it are not taken for an edit. */
  readonly checksum: string
}

/** Sources, but no declarations, tests or source maps. */
const SOURCE = /^(.+?)(?<!\.d|\.test|\.spec)\.([cm]?[jt]s)$/

/**
 * The files of a folder, by name. A folder that does not exist has none.
 *
 * @throws {MigrationError} `invalid` if two files have one name, as `x.ts` and `x.js` beside each other, or names that
 * differ in case alone, which MySQL and some file systems take for one.
 */
export const readSourceFiles = async (folder: string): Promise<readonly SourceFile[]> => {
  const entries = (await namesIn(folder)).filter((entry) => SOURCE.test(entry)).sort(byCodeUnit)
  const files = await Promise.all(entries.map((entry) => readSourceFile(join(resolve(folder), entry))))
  const seen = new Map<string, SourceFile>()
  for (const source of files) {
    const key = source.name.toLowerCase()
    const twin = seen.get(key)
    if (twin)
      throw new MigrationError('invalid', `${basename(twin.file)} and ${basename(source.file)} are one name`, source)
    seen.set(key, source)
  }
  return files
}

/** The order in which migrations run: that of their names, by code unit, in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A name as the user may type it: with an extension or without. */
export const withoutExtension = (name: string): string => name.replace(SOURCE, '$1')

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

const readSourceFile = async (file: string): Promise<SourceFile> => {
  const [, name = '', extension = ''] = SOURCE.exec(basename(file)) ?? []
  // Git may check the same file out with other line ends.
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return { name, file, checksum: `${extension}:${createHash('sha256').update(text).digest('hex')}` }
}

/** True if both checksums are of the same kind of file and differ. */
export const isEdited = (recorded: string | undefined, present: string): boolean =>
  recorded !== undefined && recorded !== present && extensionOf(recorded) === extensionOf(present)

const extensionOf = (checksum: string): string => checksum.slice(0, checksum.indexOf(':'))

/** Imports by URL, as the runtime can. */
export const importFile: LoadFile = (file) => import(/* @vite-ignore */ pathToFileURL(file).href)

/**
 * A function that a file exports, by name or as a member of its default export (which CommonJS interop makes of it).
 *
 * @throws {MigrationError} `invalid` if the file cannot be loaded.
 */
export const loadExport = async (
  { file }: SourceFile,
  load: LoadFile,
): Promise<(name: string) => ((...values: never[]) => unknown) | undefined> => {
  try {
    const loaded = (await load(file)) as Record<string, unknown> | undefined
    const inner = loaded?.default as Record<string, unknown> | undefined
    return (name) => {
      const found = loaded?.[name] ?? inner?.[name]
      return typeof found === 'function' ? (found as (...values: never[]) => unknown) : undefined
    }
  } catch (cause) {
    throw new MigrationError('invalid', `${basename(file)} cannot be loaded: ${messageOf(cause)}`, { file, cause })
  }
}
