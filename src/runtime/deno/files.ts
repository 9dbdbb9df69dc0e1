import type { FilesRuntime } from '../contract.ts'
import { type Facts, type FileSystem, finder } from '../platform/find-file.ts'

interface DenoFacts {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly size: number
  readonly mtime: Date | null
  readonly ctime?: Date | null
  readonly ino: number | null
  readonly dev: number
}

/** The part of Deno that is used here. */
declare const Deno: {
  readonly build: { readonly os: string }
  realPath(path: string): Promise<string>
  stat(path: string): Promise<DenoFacts>
  open(path: string): Promise<{
    statSync(): DenoFacts
    seekSync(offset: number, whence: number): number
    read(into: Uint8Array): Promise<number | null>
    close(): void
  }>
}

/** Names of the errors that mean that there is no file. */
const MISSING = /^(?:NotFound|NotADirectory|PermissionDenied|FilesystemLoop|InvalidFilename)$/

const toFacts = ({ isFile, isDirectory, size, mtime, ctime, ino, dev }: DenoFacts): Facts => ({
  file: isFile,
  directory: isDirectory,
  size,
  modified: Number(mtime),
  changed: ctime ? Number(ctime) : Number.NaN,
  id: ino ?? 0,
  device: dev,
})

const denoFiles = (): FileSystem => ({
  windows: Deno.build.os === 'windows',
  realPath: Deno.realPath,
  stat: async (path) => toFacts(await Deno.stat(path)),
  async open(path) {
    const file = await Deno.open(path)
    return {
      facts: () => toFacts(file.statSync()),
      async read(into, position) {
        file.seekSync(position, 0)
        return (await file.read(into)) ?? 0
      },
      close: () => file.close(),
    }
  },
  isMissing: (error) =>
    error instanceof Error &&
    (MISSING.test(error.name) || /name too long|os error (20|36|40|63)\b/i.test(error.message)),
})

export const openRoot: FilesRuntime['openRoot'] = (root) => finder(denoFiles(), root)

export const assetsOf: FilesRuntime['assetsOf'] = () => undefined
