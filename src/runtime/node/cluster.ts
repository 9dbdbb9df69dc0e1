import cluster from 'node:cluster'
import type { ListenOptions, Served, ServerHandle } from '../contract.ts'
import { endSoon } from './end-soon.ts'
import { supervise } from './supervisor.ts'
import { LEAVE, type Said } from './worker-process.ts'

/**
 * Answer with several processes. The process that was started becomes their supervisor; in each worker, which runs the
 * same program, `listen` binds the port that all share.
 *
 * @throws what `listen` of a worker has thrown at the start, with its message and code.
 */
export const serveByWorkers = (
  options: ListenOptions,
  listen: () => Promise<ServerHandle>,
  app: Served | undefined,
): Promise<ServerHandle> => (cluster.isPrimary ? supervise(options, app) : work(options, listen, app))

const work = async (
  { signal }: ListenOptions,
  listen: () => Promise<ServerHandle>,
  app: Served | undefined,
): Promise<ServerHandle> => {
  const server = await listen().catch(async (error) => {
    await say({ failed: `${error?.message ?? error}`, code: error?.code })
    throw error
  })
  const close = async (): Promise<void> => {
    await server.close()
    // Without its channel to the supervisor the process ends when nothing else keeps it
    if (cluster.worker?.isConnected()) cluster.worker.disconnect()
  }
  const handle = { ...server, close, [Symbol.asyncDispose]: close }
  let leaving = false
  const leave = (): void => {
    if (!leaving) void endSoon((app ?? handle).close())
    leaving = true
  }
  // A terminal and systemd send their signals to each process. A second one ends it at once
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, leave)
  // A hang-up of the whole group is for the supervisor
  process.on('SIGHUP', () => {})
  process.on('message', (message) => message === LEAVE && leave())
  signal?.addEventListener('abort', leave, { once: true })
  await say({ port: server.port })
  return handle
}

/** Tell the supervisor, and wait until it is on its way. */
const say = (what: Said): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.({ sluice: what }, undefined, undefined, () => resolve())
    else resolve()
  })
