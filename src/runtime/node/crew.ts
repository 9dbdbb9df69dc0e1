import { setTimeout as pause } from 'node:timers/promises'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** A worker that lived shorter has ended at once, in milliseconds. */
const STEADY_MS = 5000
/** How many workers in a row may end at once before there is no next one. */
const MOST_CRASHES = 5
/** The pause before the next one starts, in milliseconds; twice as long after each that ended at once. */
const FIRST_PAUSE_MS = 100
/** What a successor has until it listens, in milliseconds. */
const BOOT_MS = 30_000
/** What a worker has beside its grace for its own end, in milliseconds. */
const MARGIN_MS = 2000

/** A place that is always to be filled with a worker. */
interface Place {
  worker?: WorkerProcess | undefined
}

/** Workers, always as many. */
export interface Crew {
  /** Resolves to the port when all listen; rejects with why one does not. */
  readonly listening: Promise<number | undefined>
  /** Resolves to an error when workers have ended at once too often. */
  readonly broken: Promise<Error>
  /**
   * Replace all workers, one after the other: a worker leaves when its successor listens.
   * @throws {Error} if a successor does not listen within 30 seconds. It is ended; its predecessor, and those behind
   * it, stay.
   */
  renew(): Promise<void>
  /** Let all workers leave together. @returns whether each has ended by itself, with exit code 0 */
  close(graceMs: number): Promise<boolean>
}

/**
 * Start workers. One that ends is replaced: at once if it has lived for five seconds, else after a pause that grows. The
 * fifth in a row that ends at once is the last. One whose `listen` rejects is ended, since its program may live on.
 */
export const createCrew = (count: number, graceMs: number, start: () => WorkerProcess = startWorker): Crew => {
  const places: Place[] = Array.from({ length: count }, () => ({}))
  const all = new Set<WorkerProcess>()
  const closing = new AbortController()
  const { signal: closed } = closing

  const hire = (): WorkerProcess => {
    const worker = start()
    all.add(worker)
    worker.ended.then(() => all.delete(worker))
    return worker
  }
  /** Keep a place filled. @returns why it cannot be; nothing after the close */
  const keep = async (place: Place): Promise<Error | undefined> => {
    for (let crashes = 0; !closed.aborted; ) {
      place.worker ??= hire()
      const { worker } = place
      worker.listening.catch(() => worker.leave(MARGIN_MS))
      const how = await worker.ended
      const steady = worker.age() >= STEADY_MS
      if (steady) crashes = 0
      // `renew` has put another one in its place
      if (place.worker !== worker) continue
      place.worker = undefined
      if (closed.aborted) break
      if (!steady) crashes++
      if (crashes === MOST_CRASHES)
        return new Error(
          `listen: workers: ${crashes} workers in a row ended within ${STEADY_MS} ms of their start, the last one ${how}`,
        )
      const pauseMs = crashes && FIRST_PAUSE_MS * 2 ** (crashes - 1)
      console.error(`sluice: worker ${worker.pid} ended ${how}, the next one starts in ${pauseMs} ms`)
      await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
    }
    return undefined
  }
  const replace = async (place: Place): Promise<void> => {
    const fresh = hire()
    await inTime(fresh).catch(async (error) => {
      await fresh.leave(MARGIN_MS)
      throw error
    })
    const old = place.worker
    place.worker = fresh
    await old?.leave(graceMs + MARGIN_MS)
  }
  const broken = new Promise<Error>((resolve) => {
    for (const place of places) keep(place).then((error) => error && resolve(error))
  })

  return {
    listening: Promise.all(places.map(({ worker }) => worker?.listening)).then(([port]) => port),
    broken,
    async renew() {
      try {
        for (const place of places) if (!closed.aborted) await replace(place)
      } catch (error) {
        // The close has ended a successor before it listened
        if (!closed.aborted) throw error
      }
    },
    async close(withinMs) {
      closing.abort()
      const ends = await Promise.all(Array.from(all, (worker) => worker.leave(withinMs + MARGIN_MS)))
      return ends.every(Boolean)
    },
  }
}

/** Wait until a worker listens. @throws {Error} why it does not, or that it takes too long */
const inTime = (worker: WorkerProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`listen: workers: worker ${worker.pid} does not listen after ${BOOT_MS} ms`)),
      BOOT_MS,
    )
    worker.listening.finally(() => clearTimeout(late)).then(resolve, reject)
  })
