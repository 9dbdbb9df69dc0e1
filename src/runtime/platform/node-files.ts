import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { FileSystem } from './find-file.ts'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

const MISSING = /^(?:ENOENT|ENOTDIR|ENAMETOOLONG|ELOOP|EACCES|EPERM|EINVAL|EISDIR)$/

/** The file system of Node, Bun and Deno. `FileHandle` objects cost more than the read itself. */
export const nodeFiles = (more?: Partial<FileSystem>): FileSystem => {
  const open = promisify(fs.open)
  return {
    windows: process.platform === 'win32',
    realPath: promisify(fs.realpath.native),
    stat: promisify(fs.stat),
    async open(path) {
      const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      return {
        stat: () => fs.fstatSync(file),
        read: (into, position) =>
          new Promise((resolve, reject) => {
            fs.read(file, into, 0, into.byteLength, position, (error, count) =>
              error ? reject(error) : resolve(count),
            )
          }),
        close: () => fs.closeSync(file),
      }
    },
    isMissing: (error) => MISSING.test(`${(error as NodeJS.ErrnoException).code}`),
    ...more,
  }
}
