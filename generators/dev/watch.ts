import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Editors write in several steps: changes within this time are one. */
const SETTLE_MS = 80

/** Folders whose files make the application, and single files beside them that do. */
const FOLDERS = ['src', 'config'] as const
const FILES = /^(?:\.env(?:\..+)?|package\.json|tsconfig\.json)$/

/** What editors leave for a moment, and what an application writes itself. */
const IGNORED = /(?:~|\.swp|\.tmp|\.draft|\.sqlite|\.sqlite-\w+|\.log)$|(?:^|[\\/])(?:\.#|4913$)/

/** Call back, once for each burst of changes, with a file of it. */
export const watchProject = (root: string, changed: (file: string) => void): void => {
  let timer: NodeJS.Timeout | undefined
  const tell = (file: string): void => {
    if (IGNORED.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => changed(file), SETTLE_MS)
  }
  for (const folder of FOLDERS) {
    if (!existsSync(join(root, folder))) continue
    watch(join(root, folder), { recursive: true }, (_, file) => tell(file === null ? folder : join(folder, file)))
  }
  watch(root, (_, file) => {
    if (file !== null && FILES.test(file)) tell(file)
  })
}
