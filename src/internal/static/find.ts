import type { FindFile, FoundFile } from '../../runtime/contract.ts'
import { acceptedCodings } from '../header/codings.ts'
import type { PathNames } from './segments.ts'

export interface Lookup {
  readonly find: FindFile
  readonly index: string | false
  readonly extensions: readonly string[]
}

/** A file and its name, or a directory that was requested without a trailing slash. */
export type LookupResult = { readonly file: FoundFile; readonly names: readonly string[] } | 'directory' | undefined

/** The file of a path: itself, with one of the extensions, or the index of a directory. */
export const lookUp = async (options: Lookup, { names, slash }: PathNames): Promise<LookupResult> => {
  const { find, index, extensions } = options
  if (slash) {
    if (!index) return undefined
    const file = await find([...names, index])
    return file && !file.directory ? { file, names: [...names, index] } : undefined
  }
  const entry = await find(names)
  if (entry && !entry.directory) return { file: entry, names }
  for (const extension of names.length ? extensions : []) {
    const extended = [...names.slice(0, -1), `${names.at(-1)}.${extension}`]
    const file = await find(extended)
    if (file && !file.directory) return { file, names: extended }
  }
  return entry && (await lookUp(options, { names, slash: true })) ? 'directory' : undefined
}

/** Codings of the compressed copies next to a file, by their extensions; of equals, the first is used. */
export const CODINGS: Readonly<Record<string, string>> = { br: 'br', zstd: 'zst', gzip: 'gz' }

/** The compressed copy that the client prefers, if it likes one as much as the plain file (RFC 9110 §12.5.3). */
export const findCompressed = async (
  find: FindFile,
  names: readonly string[],
  accepted: string | null,
  codings: readonly string[],
): Promise<{ readonly file: FoundFile; readonly coding: string } | undefined> => {
  for (const coding of acceptedCodings(accepted ?? '', codings)) {
    const file = await find([...names.slice(0, -1), `${names.at(-1)}.${CODINGS[coding]}`])
    if (file && !file.directory) return { file, coding }
  }
  return undefined
}
