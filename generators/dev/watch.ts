import { existsSync, readdirSync, watch } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { isFolder } from '../project/folders.ts'

/** Changes within this time, in milliseconds, count as one: editors write in several steps. */
const SETTLE_MS = 80

/** Folders and single files that belong to the application. */
const FOLDERS = ['src', 'config'] as const
const FILES = /^(?:\.env(?:\..+)?|package\.json|tsconfig\.json)$/

/** Temporary files of editors, and files that an application writes itself. Source files have an extension. */
const IGNORED = /(?:~|\.swp|\.tmp|\.draft|\.sqlite|\.sqlite-\w+|\.log)$|(?:^|[\\/])(?:\.#[^\\/]*|[^.\\/]+)$/

/**
 * Call back once for each burst of changes, with one of the changed files.
 *
 * @param app the module of the application, whose folder is watched too
 */
export const watchProject = (root: string, app: string, changed: (file: string) => void): void => {
  let timer: NodeJS.Timeout | undefined
  const scheduleChange = (file: string): void => {
    if (IGNORED.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => changed(file), SETTLE_MS)
  }
  const appFolder = relative(root, dirname(app))
  const isBelow = appFolder !== '' && !appFolder.startsWith('..') && !isAbsolute(appFolder)
  const outside =
    isBelow && !FOLDERS.some((folder) => appFolder === folder || appFolder.startsWith(folder + sep)) ? [appFolder] : []
  for (const folder of [...FOLDERS, ...outside])
    if (existsSync(join(root, folder))) watchTree(root, folder, scheduleChange)
  watch(root, (_, file) => {
    if (file !== null && FILES.test(file)) scheduleChange(file)
  })
}

/**
 * Watch a folder and all folders below it, with one watcher per folder. The recursive watcher of Node 20 on Linux loses
 * files that an editor replaces by renaming.
 */
const watchTree = (
  root: string,
  folder: string,
  onChange: (file: string) => void,
  watched = new Set<string>(),
): void => {
  if (watched.has(folder)) return
  watched.add(folder)
  const watcher = watch(join(root, folder), (_, name) => {
    const file = name === null ? folder : join(folder, name)
    const path = join(root, file)
    if (isFolder(path)) watchTree(root, file, onChange, watched)
    else if (!existsSync(path)) watched.delete(file)
    onChange(file)
  })
  watcher.once('error', () => {
    watcher.close()
    watched.delete(folder)
  })
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== 'node_modules')
      watchTree(root, join(folder, entry.name), onChange, watched)
  }
}
