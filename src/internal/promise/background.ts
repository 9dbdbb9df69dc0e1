import { report } from '#runtime/core'
import { pause } from '../time/pause.ts'

export interface Background {
  /** Keep the server alive until the promise has settled. A rejection is printed once. */
  readonly waitUntil: (promise: Promise<unknown>) => void
  /** Resolves when all work has settled, including work that was added in the meantime, or when the time is up. */
  settled(withinMs: number): Promise<void>
}

export const createBackground = (): Background => {
  const pending = new Set<Promise<void>>()
  const waitUntil = (promise: Promise<unknown>): void => {
    const work: Promise<void> = Promise.resolve(promise)
      .catch(report)
      .then(() => void pending.delete(work))
    pending.add(work)
  }
  const allSettled = async (): Promise<void> => {
    while (pending.size) await Promise.all(pending)
  }
  return { waitUntil, settled: (withinMs) => settledWithin(allSettled(), withinMs) }
}

export const settledWithin = async (promise: Promise<void>, ms: number): Promise<void> => {
  const settled = new AbortController()
  await Promise.race([promise, pause(Math.max(0, ms), settled.signal)])
  settled.abort()
}
