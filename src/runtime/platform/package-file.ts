import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Folder of an installed package: from where this file is, or from where the process was started. */
export const findPackage = (name: string): string | undefined => {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return dirname(createRequire(from).resolve(`${name}/package.json`))
    } catch {}
  }
  return undefined
}

/** Bytes of a file of a package. */
export const readPackageFile = async (folder: string, file: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(join(folder, file)))
