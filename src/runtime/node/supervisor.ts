import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { checkOption } from '../../internal/options/check.ts'
import { createBackground } from '../../internal/promise/background.ts'
import { toHandle } from '../platform/handle.ts'
import { report } from '../platform/report.ts'
import type { ListenOptions, ServableApp, ServerHandle } from '../serve-contract.ts'
import { createWorkerPool } from './worker-pool.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * SIGHUP replaces all workers, one after the other; a SIGHUP in the meantime repeats this. SIGTERM and SIGINT close and
 * end the process: with 0 if each worker has exited by itself with 0, else with 1.
 */
export const supervise = async (options: ListenOptions, app: ServableApp | undefined): Promise<ServerHandle> => {
  const { workers = 'auto', graceMs = 10_000 } = options
  const isOnlyCluster = Object.keys(cluster.workers ?? {}).length === 0
  checkOption(isOnlyCluster, 'listen: workers', 'one server with workers in a process', workers)
  const pool = createWorkerPool(workers === 'auto' ? availableParallelism() : workers, graceMs)
  const renew = oneAtATime(() => pool.listening.then(pool.renew))
  let handle: ServerHandle | undefined
  let earlyEnd: Promise<void> | undefined
  const end = async (): Promise<void> => {
    if (handle) {
      // The process is about to end by itself, with its own exit code
      process.on('SIGHUP', () => {})
      return exitAfterClose((app ?? handle).close())
    }
    // Not all workers listen, but some may be serving. A second signal ends the process at once
    removeEnd()
    earlyEnd = pool.close(graceMs).then((clean) => process.exit(clean ? 0 : 1))
  }
  const removeEnd = (): void => {
    for (const name of SIGNALS) process.off(name, end)
  }
  // The listener stays from start to end, since a SIGHUP without a listener ends the process
  process.on('SIGHUP', renew)
  for (const name of SIGNALS) process.on(name, end)
  const port = await pool.listening.catch(async (error) => {
    await earlyEnd
    removeEnd()
    await pool.close(0)
    process.off('SIGHUP', renew)
    throw error
  })
  await earlyEnd
  const stop = async (withinMs: number): Promise<void> => {
    removeEnd()
    if (!(await pool.close(withinMs))) process.exitCode = 1
    process.off('SIGHUP', renew)
  }
  handle = await toHandle({ port, background: createBackground(), stop }, options)
  pool.failed.then((error) => {
    report(error)
    process.exitCode = 1
    return end()
  })
  return handle
}

/** Run a job again after it has ended, if it was requested in the meantime. */
const oneAtATime = (job: () => Promise<void>): (() => Promise<void>) => {
  let isRequested: boolean
  let running = false
  return async () => {
    isRequested = true
    if (running) return
    running = true
    while (isRequested) {
      isRequested = false
      await job().catch((error) => console.error(`sluice: the rolling restart has ended early: ${error.message}`))
    }
    running = false
  }
}

/** How long other work of the program may keep a closing process alive, in milliseconds. */
const LINGER_MS = 1000

/** End this process after a close: when nothing keeps it alive, or a second later. The exit code of a failure is 1. */
export const exitAfterClose = async (closed: Promise<void>): Promise<void> => {
  await closed.catch((error) => {
    report(error)
    process.exitCode = 1
  })
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
