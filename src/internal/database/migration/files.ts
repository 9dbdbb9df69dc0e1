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

/** Matches the name and the extension of a source file. */
const SOURCE = /^(.+)\.([cm]?[jt]s)$/

/** Matches the names of declarations and tests, which are not migrations. */
const NOT_A_MIGRATION = /\.(?:d|test|spec)$/

/**
 * The files of a folder, by name. A folder that does not exist counts as empty.
 *
 * @throws {MigrationError} `invalid` if two files have the same name, such as `x.ts` and `x.js`, or names that differ
 * only in case, which are the same for MySQL and some file systems.
 */
export const readSourceFiles = async (folder: string): Promise<readonly SourceFile[]> => {
  const entries = await readdir(folder).catch((error): string[] => {
    if (propertyOf(error, 'code') === 'ENOENT') return []
    throw error
  })
  const paths = entries.filter(isSource).map((entry) => join(resolve(folder), entry))
  const files = await Promise.all(paths.sort(byCodeUnit).map(readSourceFile))
  const seen = new Map<string, string>()
  for (const source of files) {
    const [key, base] = [source.name.toLowerCase(), basename(source.file)]
    const first = seen.get(key)
    if (first) throw new MigrationError('invalid', `${first} and ${base} have the same name`, source)
    seen.set(key, base)
  }
  return files
}

/** The order in which migrations run. It is the same in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The name of a migration that a user typed with or without folder and extension. */
export const toName = (typed: string): string => basename(typed).replace(SOURCE, '$1')

const isSource = (entry: string): boolean => {
  const [, name] = SOURCE.exec(entry) ?? []
  return name !== undefined && !NOT_A_MIGRATION.test(name)
}

const readSourceFile = async (file: string): Promise<SourceFile> => {
  const [, name = '', extension = ''] = SOURCE.exec(basename(file)) ?? []
  // Git may check out the same file with other line endings
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return { name, file, checksum: `${extension}:${createHash('sha256').update(text).digest('hex')}` }
}

/** True if both checksums are of the same kind of file, and they differ. */
export const isEdited = (recorded: string | undefined, present: string): boolean =>
  recorded !== undefined && recorded !== present && extensionOf(recorded) === extensionOf(present)

const extensionOf = (checksum: string): string => checksum.slice(0, checksum.indexOf(':'))

export const importFile: LoadFile = (file) => import(/* @vite-ignore */ pathToFileURL(file).href)

type ExportedFunction = (...values: readonly unknown[]) => unknown

export const isFunction = (value: unknown): value is ExportedFunction => typeof value === 'function'

/** Load a file. The result finds its exports by name, also those of CommonJS, which are members of `default`. */
export const loadExports = async ({ file }: SourceFile, load: LoadFile): Promise<(name: string) => unknown> => {
  try {
    const loaded = await load(file)
    return (name) => propertyOf(loaded, name) ?? propertyOf(propertyOf(loaded, 'default'), name)
  } catch (cause) {
    throw new MigrationError('invalid', `${basename(file)} cannot be loaded: ${messageOf(cause)}`, { file, cause })
  }
}

export interface LoadedMigration extends SourceFile {
  readonly run: ExportedFunction
  /** False if the file exports `transaction = false`. */
  readonly inTransaction: boolean
}

/** Load all files before one of them runs, so that a syntax error in the last one changes nothing. */
export const loadAll = async (
  files: readonly SourceFile[],
  names: readonly string[],
  direction: 'up' | 'down',
  load: LoadFile,
): Promise<LoadedMigration[]> => {
  const migrations: LoadedMigration[] = []
  for (const name of names) {
    const source = files.find((file) => file.name === name)
    if (source === undefined) throw new MigrationError('missing', `${name} has run, but its file is gone`)
    const exported = await loadExports(source, load)
    const run = exported(direction)
    if (!isFunction(run)) {
      const text = `${name} exports no function ${direction}(schema, db)`
      if (direction === 'up') throw new MigrationError('invalid', text, source)
      throw new MigrationError('irreversible', `${text}: nothing was rolled back`, source)
    }
    migrations.push({ ...source, run, inTransaction: exported('transaction') !== false })
  }
  return migrations
}
