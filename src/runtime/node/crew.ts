import { setTimeout as pause } from 'node:timers/promises'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** A worker that lived shorter, or has never listened, has failed, in milliseconds. */
const STEADY_MS = 5000
/** How many workers in a row may fail before there is no next one. */
const MOST_CRASHES = 5
/** The pause before the next one starts, in milliseconds; twice as long after each that failed. */
const FIRST_PAUSE_MS = 100
/** What a worker has until it listens, in milliseconds. */
const BOOT_MS = 30_000
/** What a worker has beside its grace for its own end, in milliseconds. */
const MARGIN_MS = 2000

/** A place that is always to be filled with a worker. */
interface Place {
  worker?: WorkerProcess | undefined
}

/** Workers, always as many. */
export interface Crew {
  /** Resolves to the port when all listen; rejects with why one does not, after 30 seconds at the latest. */
  readonly listening: Promise<number | undefined>
  /** Resolves to an error when workers have failed too often. */
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
 * Start workers. One that ends is replaced: at once if it has listened and lived for five seconds, else after a pause
 * that grows. The fifth in a row that fails so is the last. One whose `listen` rejects, or takes longer than 30 seconds,
 * is ended, since its program may live on.
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
      const refusal = await refusalOf(worker)
      if (refusal) void worker.leave(MARGIN_MS)
      const how = (await worker.ended) + (refusal?.late ? `, as it did not listen within ${BOOT_MS} ms` : '')
      const steady = !refusal && worker.age() >= STEADY_MS
      if (steady) crashes = 0
      // `renew` has put another one in its place
      if (place.worker !== worker) continue
      place.worker = undefined
      if (closed.aborted) break
      if (!steady) crashes++
      if (crashes === MOST_CRASHES)
        return new Error(
          `listen: workers: ${crashes} workers in a row did not listen or ended within ${STEADY_MS} ms of their start, the last one ${how}`,
        )
      const pauseMs = crashes && FIRST_PAUSE_MS * 2 ** (crashes - 1)
      console.error(`sluice: worker ${worker.pid} ended ${how}, the next one starts in ${pauseMs} ms`)
      await pause(pauseMs, undefined, { signal: closed }).catch(() => {})
    }
    return undefined
  }
  const replace = async (place: Place): Promise<void> => {
    const fresh = hire()
    const refusal = await refusalOf(fresh)
    if (refusal) {
      await fresh.leave(MARGIN_MS)
      throw refusal.error
    }
    const old = place.worker
    place.worker = fresh
    await old?.leave(graceMs + MARGIN_MS)
  }
  const portOf = async (worker: WorkerProcess): Promise<number | undefined> => {
    const refusal = await refusalOf(worker)
    if (refusal) throw refusal.error
    return worker.listening
  }
  const first = places.map((place) => {
    place.worker = hire()
    return portOf(place.worker)
  })
  const broken = new Promise<Error>((resolve) => {
    for (const place of places) keep(place).then((error) => error && resolve(error))
  })

  return {
    listening: Promise.all(first).then(([port]) => port),
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

/** Why a worker does not listen. */
interface Refusal {
  readonly error: Error
  /** It has taken too long; else its `listen` has rejected, or it has ended. */
  readonly late: boolean
}

/** Wait until a worker listens. @returns why it does not, or that it takes too long */
const refusalOf = (worker: WorkerProcess): Promise<Refusal | undefined> =>
  new Promise((resolve) => {
    const late = setTimeout(() => {
      const error = new Error(`listen: workers: worker ${worker.pid} does not listen after ${BOOT_MS} ms`)
      resolve({ error, late: true })
    }, BOOT_MS)
    worker.listening
      .then(
        () => undefined,
        (error: Error) => ({ error, late: false }),
      )
      .then((refusal) => {
        clearTimeout(late)
        resolve(refusal)
      })
  })
