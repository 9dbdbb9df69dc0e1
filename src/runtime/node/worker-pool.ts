import { setTimeout as pause } from 'node:timers/promises'
import { inTime } from '../../internal/time/in-time.ts'
import { failedWorker, startWorker, type WorkerProcess } from './worker-process.ts'

/** A worker has failed if it ends sooner than this after it began to listen, in milliseconds. */
const MIN_UPTIME_MS = 5000
const MAX_CRASHES = 5
const FIRST_BACKOFF_MS = 100
/** How long a successor must listen before its predecessor exits, in milliseconds. */
const SETTLE_MS = 1000
const START_TIMEOUT_MS = 30_000
/** Time to exit in addition to the grace, in milliseconds. */
const MARGIN_MS = 2000

interface WorkerSlot {
  worker?: WorkerProcess | undefined
}

export interface WorkerPool {
  /** Resolves to the port when all listen; rejects if one does not, after 30 seconds at the latest. */
  readonly listening: Promise<number | undefined>
  /** Resolves when workers have failed too often. */
  readonly failed: Promise<Error>
  /**
   * Replace all workers, one after the other: a worker exits when its successor has listened for a second.
   * @throws {Error} if a successor ends before, or does not listen within 30 seconds. The remaining old workers stay.
   */
  renew(): Promise<void>
  /** Stop all workers at the same time. @returns whether each has exited by itself, with exit code 0 */
  close(graceMs: number): Promise<boolean>
}

/**
 * A worker that exits is replaced: at once if it has listened for five seconds, else after a growing delay, until the
 * fifth consecutive failure. A worker that does not listen in time is ended, because its program may continue.
 */
export const createWorkerPool = (
  count: number,
  graceMs: number,
  start: () => WorkerProcess = startWorker,
): WorkerPool => {
  const slots: WorkerSlot[] = Array.from({ length: count }, () => ({}))
  const all = new Set<WorkerProcess>()
  const closing = new AbortController()
  const { signal: closed } = closing

  const spawn = (): WorkerProcess => {
    let worker: WorkerProcess
    try {
      worker = start()
    } catch (error) {
      worker = failedWorker(error as Error)
    }
    all.add(worker)
    worker.ended.then(() => all.delete(worker))
    return worker
  }
  /** @returns the error after too many failures; `undefined` after the close */
  const keepFilled = async (slot: WorkerSlot): Promise<Error | undefined> => {
    for (let crashes = 0; !closed.aborted; ) {
      slot.worker ??= spawn()
      const { worker } = slot
      const refusal: Refusal | undefined = await portOf(worker).then(
        () => undefined,
        (error) => error,
      )
      if (refusal) void worker.stop(MARGIN_MS)
      const ending =
        (await worker.ended) + (refusal?.late ? `, as it did not listen within ${START_TIMEOUT_MS} ms` : '')
      const steady = !refusal && worker.age() >= MIN_UPTIME_MS
      if (steady) crashes = 0
      // `renew` has replaced this worker
      if (slot.worker !== worker) continue
      slot.worker = undefined
      if (closed.aborted) break
      if (!steady) crashes++
      if (crashes === MAX_CRASHES)
        return new Error(
          `listen: workers: ${crashes} workers in a row did not listen or ended within ${MIN_UPTIME_MS} ms after that, the last one ${ending}`,
        )
      const pauseMs = crashes && FIRST_BACKOFF_MS * 2 ** (crashes - 1)
      console.error(`sluice: worker ${worker.pid} ended ${ending}, the next one starts in ${pauseMs} ms`)
      await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
    }
    return undefined
  }
  const replace = async (slot: WorkerSlot): Promise<void> => {
    const fresh = spawn()
    await portOf(fresh).catch(async (refusal) => {
      await fresh.stop(MARGIN_MS)
      throw refusal
    })
    const healthy = pause(SETTLE_MS, undefined, { signal: closed, ref: false }).catch(() => {})
    const earlyEnd = await Promise.race([fresh.ended, healthy])
    if (earlyEnd)
      throw new Error(`listen: workers: worker ${fresh.pid} ended ${earlyEnd} within ${SETTLE_MS} ms after it listened`)
    const old = slot.worker
    slot.worker = fresh
    await old?.stop(graceMs + MARGIN_MS)
  }
  // Before `keepFilled`, so that a worker that is late is named as late before it is ended
  const ports = slots.map((slot) => {
    slot.worker = spawn()
    return portOf(slot.worker)
  })
  const failed = new Promise<Error>((resolve) => {
    for (const slot of slots) keepFilled(slot).then((error) => error && resolve(error))
  })

  return {
    listening: Promise.all(ports).then(([port]) => port),
    failed,
    async renew() {
      try {
        for (const slot of slots) if (!closed.aborted) await replace(slot)
      } catch (error) {
        // The close ends a successor that does not listen yet
        if (!closed.aborted) throw error
      }
    },
    async close(withinMs) {
      closing.abort()
      const ends = await Promise.all(Array.from(all, (worker) => worker.stop(withinMs + MARGIN_MS)))
      return ends.every(Boolean)
    },
  }
}

type Refusal = Error & { readonly late?: boolean }

/** @throws {Refusal} if `listen` of a worker rejects, the worker exits, or takes too long (`late`) */
const portOf = (worker: WorkerProcess): Promise<number | undefined> =>
  inTime(
    START_TIMEOUT_MS,
    () => {
      const message = `listen: workers: worker ${worker.pid} does not listen after ${START_TIMEOUT_MS} ms`
      return Object.assign(new Error(message), { late: true })
    },
    () => worker.listening,
  )
