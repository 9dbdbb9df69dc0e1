import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { checkOption } from '../../internal/options/check.ts'
import { createBackground } from '../../internal/promise/background.ts'
import { toHandle } from '../platform/handle.ts'
import { report } from '../platform/report.ts'
import type { ListenOptions, ServableApp, ServerHandle } from '../serve-contract.ts'
import { exitAfterClose } from './exit-after-close.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/**
 * Start workers, and handle signals.
 *
 * - SIGHUP replaces all workers, one after the other. Another SIGHUP in the meantime repeats this.
 * - SIGTERM and SIGINT close, and end the process: with 0 if each worker has exited by itself with 0, else with 1.
 */
export const supervise = async (options: ListenOptions, app: ServableApp | undefined): Promise<ServerHandle> => {
  const { workers = 'auto', graceMs = 10_000 } = options
  const isOnlyCluster = Object.keys(cluster.workers ?? {}).length === 0
  checkOption(isOnlyCluster, 'listen: workers', 'one server with workers in a process', workers)
  const pool = createWorkerPool(workers === 'auto' ? availableParallelism() : workers, graceMs)
  const renew = oneAtATime(() => pool.listening.then(pool.renew))
  // The listener stays from start to end, since a SIGHUP without a listener ends the process
  process.on('SIGHUP', renew)
  const stayed = endEarly(pool, graceMs)
  const port = await pool.listening.catch(async (error) => {
    await stayed()
    await pool.close(0)
    process.off('SIGHUP', renew)
    throw error
  })
  await stayed()

  const end = (): Promise<void> => {
    // The process is about to end by itself, with its own exit code
    process.on('SIGHUP', () => {})
    return exitAfterClose((app ?? handle).close())
  }
  const stop = async (withinMs: number): Promise<void> => {
    for (const name of SIGNALS) process.off(name, end)
    if (!(await pool.close(withinMs))) process.exitCode = 1
    process.off('SIGHUP', renew)
  }
  const handle: ServerHandle = await toHandle({ port, background: createBackground(), stop }, options)
  for (const name of SIGNALS) process.on(name, end)
  pool.failed.then((error) => {
    report(error)
    process.exitCode = 1
    return end()
  })
  return handle
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Until all workers listen, those that do may be serving already: the first signal lets them finish and ends the
 * process, and a second one ends it at once.
 *
 * @returns what to await when they listen: it does not resolve after a signal
 */
const endEarly = (pool: WorkerPool, graceMs: number): (() => Promise<void>) => {
  let ending: Promise<void> | undefined
  const forget = (): void => {
    for (const name of SIGNALS) process.off(name, end)
  }
  const end = (): void => {
    forget()
    ending = pool.close(graceMs).then((clean) => process.exit(clean ? 0 : 1))
  }
  for (const name of SIGNALS) process.on(name, end)
  return async () => {
    await ending
    forget()
  }
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
