import { isSafeOnWindows } from '../../internal/static/segments.ts'
import type { FindFile, FoundFile } from '../contract.ts'
import { fileStream, type OpenFile } from './file-stream.ts'

/** The properties of a path in a file system. */
export interface Facts {
  readonly file: boolean
  readonly directory: boolean
  readonly size: number
  readonly modified: number
  /** When its name, its permissions or its content last changed; NaN if unknown. */
  readonly changed: number
  /** Inode number of the file, if there is one. */
  readonly id: number
  readonly device: number
}

/** The part of a file system that serving files needs. */
export interface FileSystem {
  readonly windows: boolean
  /** The path with every link resolved. Rejects if it does not exist. */
  realPath(path: string): Promise<string>
  /** The properties of a path, with links resolved. Rejects if it does not exist. */
  stat(path: string): Promise<Facts>
  /** Open a file that is not a link. */
  open(path: string): Promise<OpenFile & { facts(): Facts }>
  /** Whether an error means that there is no file, rather than that the system failed. */
  isMissing(error: unknown): boolean
  /** A part of a file as a stream, if the runtime has a faster one than ours. */
  stream?(path: string, start: number, length: number): ReadableStream<Uint8Array>
}

/** Largest file that is read at once and sent whole, in bytes. */
const SMALL = 65_536

/** Number of files whose real path is cached: as many as are requested often. */
const MOST_KNOWN = 1_000

/**
 * How long a file counts as inside the root, in milliseconds: a parent folder may have moved, which does not change the
 * file.
 */
const SURE_MS = 1_000

/** A file that was found inside the root. */
interface Known {
  readonly real: string
  readonly facts: Facts
  /** When it was found. */
  readonly at: number
}

/** Whether a path still leads to the same file. Moving, linking or writing it changes one of these. */
const isSame = (one: Facts, other: Facts): boolean =>
  one.id !== 0 &&
  one.id === other.id &&
  one.device === other.device &&
  one.size === other.size &&
  one.modified === other.modified &&
  one.changed === other.changed

/** Find files below a folder. A link may lead to another place below it, but never outside. */
export const finder = (system: FileSystem, root: string): FindFile => {
  const separator = system.windows ? '\\' : '/'
  const withEnd = (path: string): string => (path.endsWith(separator) ? path : path + separator)
  let base: string | undefined
  const isInside = async (real: string): Promise<boolean> => {
    if (base && withEnd(real).startsWith(base)) return true
    // The root may be a link that was changed by a new release
    base = withEnd(await system.realPath(root))
    return withEnd(real).startsWith(base)
  }
  const known = new Map<string, Known>()
  const remember = (path: string, found: Known): void => {
    known.delete(path)
    known.set(path, found)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
  }
  return async (segments) => {
    if (system.windows && !segments.every(isSafeOnWindows)) return undefined
    const path = [root.replace(/(?<=.)[/\\]$/, ''), ...segments].join('/')
    const forget = (): unknown => known.delete(path)
    try {
      const before = known.get(path)
      const [facts, first] = await Promise.all([system.stat(path), before?.real ?? system.realPath(path)])
      if (!(facts.file || facts.directory)) return undefined
      // Resolving links costs more than the other checks, and gives the same result as long as the file is the same
      const at = performance.now()
      if (before && at - before.at < SURE_MS && isSame(before.facts, facts)) return found(system, before, forget)
      const real = before ? await system.realPath(path) : first
      if (!(await isInside(real))) return undefined
      // A stream opens its file later, and could not check again if a folder was renamed
      if (facts.file && facts.size <= SMALL) remember(path, { real, facts, at })
      return found(system, { real, facts, at }, forget)
    } catch (error) {
      if (system.isMissing(error)) return undefined
      throw error
    }
  }
}

const found = (system: FileSystem, { real, facts }: Known, forget: () => unknown): FoundFile => {
  const { directory, size, modified, id } = facts
  /** The file that the response describes, or `undefined` if another file has replaced it. */
  const open = async (): Promise<OpenFile | undefined> => {
    let file: Awaited<ReturnType<FileSystem['open']>> | undefined
    try {
      file = await system.open(real)
      const now = file.facts()
      if (now.id === id && now.size === size && now.modified === modified) return file
    } catch (error) {
      // A parent folder may have been renamed: the next check resolves the links again
      forget()
      file?.close()
      throw error
    }
    // A folder that was cached by its link may have replaced another
    forget()
    file.close()
    return undefined
  }
  const readWhole = async (start: number, length: number): Promise<Uint8Array | undefined> => {
    const file = await open()
    if (!file) return undefined
    try {
      const bytes = new Uint8Array(length)
      let read = 0
      while (read < length) {
        const count = await file.read(bytes.subarray(read), start + read)
        if (!count) return undefined
        read += count
      }
      return bytes
    } finally {
      file.close()
    }
  }
  return {
    directory,
    size,
    modified,
    async read(start, length) {
      if (length > SMALL) return system.stream?.(real, start, length) ?? fileStream(open, start, length)
      try {
        return await readWhole(start, length)
      } catch (error) {
        if (system.isMissing(error)) return undefined
        throw error
      }
    },
  }
}
