import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of files, with a secret beside it that no path may reach. */
export interface Folder {
  readonly root: string
  /** The folder around the root. */
  readonly around: string
  write(name: string, content: string | Uint8Array, modified?: Date): void
  link(name: string, target: string): void
  remove(): void
}

export const SECRET = 'the secret beside the root'

/** When every file was changed, unless a test says otherwise. */
export const MODIFIED = new Date('2024-05-06T07:08:09.123Z')

/** Make `public` with files, and `secret.txt` beside it. */
export const makeFolder = (files: Readonly<Record<string, string | Uint8Array>> = {}): Folder => {
  const around = mkdtempSync(join(tmpdir(), 'sluice-static-'))
  const root = join(around, 'public')
  const write = (name: string, content: string | Uint8Array, modified = MODIFIED): void => {
    const file = join(root, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, modified, modified)
  }
  mkdirSync(root)
  for (const [name, content] of Object.entries(files)) write(name, content)
  writeFileSync(join(around, 'secret.txt'), SECRET)
  mkdirSync(join(around, 'public-too'))
  writeFileSync(join(around, 'public-too', 'secret.txt'), SECRET)
  return {
    root,
    around,
    write,
    link: (name, target) => symlinkSync(target, join(root, name)),
    remove: () => rmSync(around, { recursive: true, force: true }),
  }
}
