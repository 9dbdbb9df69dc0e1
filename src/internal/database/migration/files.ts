import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../error/database-error.ts'
import { propertyOf } from '../property.ts'
import { type LoadFile, MigrationError } from './migration.ts'

/** A file of the migration or seed folder. */
export interface SourceFile {
  /** File name without extension. */
  readonly name: string
  /** Absolute path. */
  readonly file: string
  /** Extension and SHA-256 of the text, so that the compiled `x.js` of an `x.ts` does not count as an edit. */
  readonly checksum: string
}

/** A name and the extension of a source. */
const SOURCE = /^(.+)\.([cm]?[jt]s)$/

/** The end of the name of a declaration or a test, which is not a migration. */
const NOT_A_MIGRATION = /\.(?:d|test|spec)$/

/**
 * The files of a folder, by name. A folder that does not exist counts as empty.
 *
 * @throws {MigrationError} `invalid` if two files have the same name, such as `x.ts` and `x.js`, or names that differ
 * only in case, which are the same for MySQL and some file systems.
 */
export const readSourceFiles = async (folder: string): Promise<readonly SourceFile[]> => {
  const entries = (await namesIn(folder)).filter(isSource).sort(byCodeUnit)
  const files = await Promise.all(entries.map((entry) => readSourceFile(join(resolve(folder), entry))))
  const seen = new Map<string, SourceFile>()
  for (const source of files) {
    const key = source.name.toLowerCase()
    const duplicate = seen.get(key)
    if (duplicate)
      throw new MigrationError(
        'invalid',
        `${basename(duplicate.file)} and ${basename(source.file)} are one name`,
        source,
      )
    seen.set(key, source)
  }
  return files
}

/** The order in which migrations run: by name, by code unit, the same in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A name as a user may type it, with or without folder and extension. */
export const toName = (typed: string): string => {
  const name = basename(typed)
  return isSource(name) ? name.replace(SOURCE, '$1') : name
}

const isSource = (entry: string): boolean => {
  const [, name] = SOURCE.exec(entry) ?? []
  return name !== undefined && !NOT_A_MIGRATION.test(name)
}

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (propertyOf(error, 'code') === 'ENOENT') return []
    throw error
  }
}

const readSourceFile = async (file: string): Promise<SourceFile> => {
  const [, name = '', extension = ''] = SOURCE.exec(basename(file)) ?? []
  // Git may check out the same file with other line endings.
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return { name, file, checksum: `${extension}:${createHash('sha256').update(text).digest('hex')}` }
}

/** True if both checksums are of the same kind of file and differ. */
export const isEdited = (recorded: string | undefined, present: string): boolean =>
  recorded !== undefined && recorded !== present && extensionOf(recorded) === extensionOf(present)

const extensionOf = (checksum: string): string => checksum.slice(0, checksum.indexOf(':'))

/** Imports by URL, as the runtime can. */
export const importFile: LoadFile = (file) => import(/* @vite-ignore */ pathToFileURL(file).href)

/** A function of a file, with any parameters and result. */
export type ExportedFunction = (...values: readonly unknown[]) => unknown

/** The exports of a file, by name. */
export interface Exports {
  (name: string): ExportedFunction | undefined
  /** An export that is not a function. */
  readonly flag: (name: string) => unknown
}

/**
 * Finds functions that a file exports, by name or as a member of its default export (which CommonJS interop makes of
 * it).
 *
 * @throws {MigrationError} `invalid` if the file cannot be loaded.
 */
export const loadExport = async ({ file }: SourceFile, load: LoadFile): Promise<Exports> => {
  try {
    const loaded = await load(file)
    const flag = (name: string): unknown => propertyOf(loaded, name) ?? propertyOf(propertyOf(loaded, 'default'), name)
    const exported = (name: string): ExportedFunction | undefined => {
      const found = flag(name)
      return typeof found === 'function' ? (...values) => Reflect.apply(found, undefined, values) : undefined
    }
    return Object.assign(exported, { flag })
  } catch (cause) {
    throw new MigrationError('invalid', `${basename(file)} cannot be loaded: ${messageOf(cause)}`, { file, cause })
  }
}
