import type { Stats } from 'node:fs'
import { isSafeOnWindows } from '../../internal/static/segments.ts'
import type { FindFile, FoundFile } from '../contract.ts'
import { fileStream, type OpenFile } from './file-stream.ts'

export interface FileSystem {
  readonly windows: boolean
  realPath(path: string): Promise<string>
  stat(path: string): Promise<Stats>
  /** Open a file that is not a link. */
  open(path: string): Promise<OpenFile & { stat(): Stats }>
  /** Whether an error means that there is no file, rather than that the system failed. */
  isMissing(error: unknown): boolean
  /** A part of a file as a stream, if the runtime has a faster one than ours. */
  stream?(path: string, start: number, length: number): ReadableStream<Uint8Array>
}

/** Largest file that is read at once and sent whole, in bytes. */
const SMALL = 65_536

/** Number of files whose real path is cached: as many as are requested often. */
const MAX_CACHED = 1_000

/** How long a file counts as inside the root: a parent folder may have moved, which does not change the file. */
const SURE_MS = 1_000

/** Moving, linking or writing a file changes one of these. */
const IDENTITY = ['ino', 'dev', 'size', 'mtimeMs', 'ctimeMs'] as const

/** Whether a path still leads to the same file. Some systems do not number files, or do not say when they changed. */
const isSame = (first: Stats, other: Stats): boolean =>
  first.ino !== 0 && first.ctimeMs !== 0 && IDENTITY.every((name) => first[name] === other[name])

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
  const cached = new Map<string, { readonly stats: Stats; readonly file: FoundFile; readonly at: number }>()
  return async (segments) => {
    if (system.windows && !segments.every(isSafeOnWindows)) return undefined
    const path = [root, ...segments].join('/')
    const last = cached.get(path)
    const at = performance.now()
    const forget = (): unknown => cached.delete(path)
    try {
      // Resolving links costs more than the other checks, and returns the same result as long as the file is the same
      const isSure = last && at - last.at < SURE_MS
      const [stats, resolved] = await Promise.all([system.stat(path), isSure ? undefined : system.realPath(path)])
      if (!(stats.isFile() || stats.isDirectory())) return undefined
      if (isSure && isSame(last.stats, stats)) return last.file
      const real = resolved ?? (await system.realPath(path))
      if (!(await isInside(real))) return undefined
      const file = toFile(system, real, stats, forget)
      // A stream opens its file later, and could not check again if a folder was renamed
      if (stats.isDirectory() || stats.size > SMALL) return file
      forget()
      cached.set(path, { stats, file, at })
      if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!)
      return file
    } catch (error) {
      if (system.isMissing(error)) return undefined
      throw error
    }
  }
}

const toFile = (system: FileSystem, real: string, stats: Stats, forget: () => unknown): FoundFile => {
  const { size, mtimeMs: modified, ino } = stats
  const isStill = (now: Stats): boolean => now.ino === ino && now.size === size && now.mtimeMs === modified
  /** The file that the response describes, or `undefined` if another file has replaced it. */
  const open = async (): Promise<OpenFile | undefined> => {
    let file: Awaited<ReturnType<FileSystem['open']>> | undefined
    let isSameFile = false
    try {
      file = await system.open(real)
      isSameFile = isStill(file.stat())
      return isSameFile ? file : undefined
    } finally {
      if (!isSameFile) {
        // A parent folder may have been renamed: the next check resolves the links again
        forget()
        file?.close()
      }
    }
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
    directory: stats.isDirectory(),
    size,
    modified,
    // Created once for all requests, since a cached file is the same object
    date: new Date(modified).toUTCString(),
    version: `${size.toString(16)}-${Math.round(modified * 1000).toString(16)}`,
    async read(start, length) {
      try {
        if (length <= SMALL) return await readWhole(start, length)
        return system.stream?.(real, start, length) ?? fileStream(open, start, length)
      } catch (error) {
        forget()
        if (system.isMissing(error)) return undefined
        throw error
      }
    },
  }
}
