import { isSafeOnWindows } from '../../internal/static/segments.ts'
import type { FindFile, FoundFile } from '../contract.ts'
import { fileStream, type OpenFile } from './file-stream.ts'

/** What a file system says of a path. */
export interface Facts {
  readonly file: boolean
  readonly directory: boolean
  readonly size: number
  readonly modified: number
  /** Number of the file on its device, where there is one. */
  readonly id: number
}

/** A file system, as little of it as serving files takes. */
export interface FileSystem {
  readonly windows: boolean
  /** The path with every link followed. Rejects if there is nothing. */
  realPath(path: string): Promise<string>
  /** What a path leads to, links followed. Rejects if there is nothing. */
  stat(path: string): Promise<Facts>
  /** Open a file that is no link. */
  open(path: string): Promise<OpenFile & { facts(): Facts }>
  /** Whether an error says that there is nothing to be served, rather than that the system failed. */
  isMissing(error: unknown): boolean
  /** A part of a file as a stream, if the runtime has a faster one than ours. */
  stream?(path: string, start: number, length: number): ReadableStream<Uint8Array>
}

/** What is read at once and sent whole, in bytes. */
const SMALL = 65_536

/** Find files below a folder. A link may lead to another place below it, and never out. */
export const finder = (system: FileSystem, root: string): FindFile => {
  const separator = system.windows ? '\\' : '/'
  const withEnd = (path: string): string => (path.endsWith(separator) ? path : path + separator)
  let base: string | undefined
  const isInside = async (real: string): Promise<boolean> => {
    if (base && withEnd(real).startsWith(base)) return true
    // The root may be a link that leads elsewhere since the last release
    base = withEnd(await system.realPath(root))
    return withEnd(real).startsWith(base)
  }
  return async (segments) => {
    if (system.windows && !segments.every(isSafeOnWindows)) return undefined
    const path = [root.replace(/(?<=.)[/\\]$/, ''), ...segments].join('/')
    try {
      const [real, facts] = await Promise.all([system.realPath(path), system.stat(path)])
      if (!(facts.file || facts.directory) || !(await isInside(real))) return undefined
      return found(system, real, facts)
    } catch (error) {
      if (system.isMissing(error)) return undefined
      throw error
    }
  }
}

const found = (system: FileSystem, path: string, facts: Facts): FoundFile => {
  const { directory, size, modified, id } = facts
  /** The file that the answer describes, or nothing: another may have taken its place. */
  const open = async (): Promise<OpenFile | undefined> => {
    const file = await system.open(path)
    try {
      const now = file.facts()
      if (now.id === id && now.size === size && now.modified === modified) return file
    } catch (error) {
      file.close()
      throw error
    }
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
      if (length > SMALL) return system.stream?.(path, start, length) ?? fileStream(open, start, length)
      try {
        return await readWhole(start, length)
      } catch (error) {
        if (system.isMissing(error)) return undefined
        throw error
      }
    },
  }
}
