import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { importSluice, stripsTypes } from '../project/loader.ts'

/** Functions that Node 20 does not have. */
interface NewerModule {
  readonly enableCompileCache?: (folder?: string) => unknown
  readonly flushCompileCache?: () => void
  readonly stripTypeScriptTypes?: (source: string) => string
}

const newer = nodeModule as NewerModule

/** Modules of sluice that most applications and the development server import. */
const MODULES = [
  'sluice',
  'sluice/database',
  'sluice/openapi',
  'sluice/env',
  'sluice/middleware/helmet',
  'sluice/middleware/logger',
  'sluice/client-address',
  'sluice/pipe',
] as const

/** Delay after the start before the compiled code is stored, in milliseconds: the first responses come first. */
const STORE_DELAY_MS = 300

/**
 * Do in advance what takes most of the time of a start, and does not depend on the code of the application: load sluice
 * and its packages, the compiler that removes types, and the Fetch classes. Then the application is imported from the
 * compile cache, except for the files that have changed.
 *
 * Failures are ignored: the application fails with the same error, and that one is shown.
 */
export const warmUp = async (root: string): Promise<void> => {
  // Node compares each entry with the source, so an old one is never used. It ignores a folder that it cannot write.
  const folder = join(root, 'node_modules')
  if (existsSync(folder)) newer.enableCompileCache?.(join(folder, '.cache/sluice'))
  for (const name of MODULES) await importSluice(root, name).catch(() => {})
  if (stripsTypes()) quietly(() => newer.stripTypeScriptTypes?.('let a: 1'))
  // Node loads these classes when they are first used.
  new Response('', { headers: new Headers() })
  new Request('http://localhost')
}

/** Store the compiled code of what has been imported, for the next process. */
export const storeCompiledCode = (): void => {
  setTimeout(() => newer.flushCompileCache?.(), STORE_DELAY_MS).unref()
}

/**
 * Run synchronous work without its warnings: on Node 22 and 24, `stripTypeScriptTypes` warns that it is experimental.
 */
const quietly = (work: () => unknown): void => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    work()
  } catch {
    // The application fails with the same error.
  } finally {
    process.emitWarning = emitWarning
  }
}
