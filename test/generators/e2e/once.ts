import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Longest time that a file waits for what another one makes, in milliseconds; just under that of a hook. */
const PATIENCE = 280_000

/**
 * Make a folder once for all test files of the run, which run in processes of their own: the first that asks makes it,
 * the others wait for it. What failed fails for all of them.
 *
 * @returns the path of the folder.
 */
export const once = (name: string, make: (folder: string) => void): string => {
  const shared = process.env.SLUICE_SHARED
  if (shared === undefined) throw new Error('SLUICE_SHARED is not set: this runs in the project e2e of vitest')
  const folder = join(shared, name)
  const done = `${folder}.done`
  if (mine(folder)) {
    try {
      make(folder)
      writeFileSync(done, '')
    } catch (error) {
      writeFileSync(done, String(error))
      throw error
    }
    return folder
  }
  const deadline = Date.now() + PATIENCE
  while (!existsSync(done)) {
    if (Date.now() > deadline) throw new Error(`${name} was not made within ${PATIENCE / 1000} s`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  const failure = readFileSync(done, 'utf8')
  if (failure) throw new Error(failure)
  return folder
}

/** Whether this process is the one that made the folder. */
const mine = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}
