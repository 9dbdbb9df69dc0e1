import cluster from 'node:cluster'
import type { ListenOptions, ServableApp, ServerHandle } from '../serve-contract.ts'
import { exitAfterClose, supervise } from './supervisor.ts'
import { LEAVE, type WorkerReport } from './worker-process.ts'

/** The first process becomes the supervisor; each worker runs the program. @throws what `listen` of a worker does */
export const serveByWorkers = async (
  options: ListenOptions,
  listen: () => Promise<ServerHandle>,
  app: ServableApp | undefined,
): Promise<ServerHandle> => {
  if (cluster.isPrimary) return supervise(options, app)
  const server = await listen().catch(async (error) => {
    await sendReport({ failed: `${error?.message ?? error}`, code: error?.code })
    throw error
  })
  const closeWorker = async (): Promise<void> => {
    await server.close()
    // Without the channel to its supervisor, the process exits when nothing else keeps it alive
    if (cluster.worker?.isConnected()) cluster.worker.disconnect()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    if (closed) return closed
    closed = closeWorker()
    // Otherwise a worker that closes by itself would keep the place of one that serves
    void exitAfterClose(app ? app.close() : closed)
    return closed
  }
  const exitWorker = (): void => void close().catch(() => {})
  // A terminal and systemd send their signals to each process. A second signal ends it at once
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, exitWorker)
  // A SIGHUP to the whole group is for the supervisor
  process.on('SIGHUP', () => {})
  process.on('message', (message) => message === LEAVE && exitWorker())
  options.signal?.addEventListener('abort', exitWorker)
  await sendReport({ port: server.port })
  return { ...server, close, [Symbol.asyncDispose]: close }
}

const sendReport = (report: WorkerReport): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.({ sluice: report }, undefined, undefined, () => resolve())
    else resolve()
  })
