import { hasOwnTimers } from '#runtime/core'
import type { Awaitable } from '../promise/awaitable.ts'

/** Checks one thing that the application needs. */
export type HealthProbe = (signal: AbortSignal) => Awaitable<unknown>

/** The outcome of a check. */
export interface Outcome {
  readonly status: 'ok' | 'failed' | 'timed out'
  /** How long it took, in whole milliseconds. */
  readonly durationMs: number
  readonly error?: unknown
}

/**
 * A check that always ends: after its time limit it has failed, even if it continues. Calls while it runs share its
 * outcome, so no number of probes starts it twice. A check that hangs beyond its time limit is not started again
 * either, except on Workers, which end it with the request of its probe: its outcome stays until it has ended.
 *
 * @param now clock, in milliseconds
 */
export const toCheck = (look: HealthProbe, timeoutMs: number, now: () => number): (() => Promise<Outcome>) => {
  let running: Promise<Outcome> | undefined
  /** The outcome of a check that continues beyond its time limit. */
  let hanging: Outcome | undefined
  const start = async (): Promise<Outcome> => {
    const startedAt = now()
    const limit = new AbortController()
    const { signal } = limit
    const timeout = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const timer = setTimeout(() => limit.abort(new Error(`No answer in ${timeoutMs} ms`)), timeoutMs)
    let ended = false
    const watched = async (): Promise<unknown> => {
      try {
        return await look(signal)
      } finally {
        ended = true
        hanging = undefined
      }
    }
    let status: Outcome['status'] = 'ok'
    let error: unknown
    try {
      if ((await Promise.race([timeout, watched()])) === false) throw new Error('The check gave false')
    } catch (thrown) {
      error = thrown
      status = signal.aborted ? 'timed out' : 'failed'
    }
    clearTimeout(timer)
    running = undefined
    const outcome: Outcome = { status, durationMs: Math.round(now() - startedAt), error }
    // On Workers it ends with the request of this probe, and never says so
    if (!ended && !hasOwnTimers) hanging = outcome
    return outcome
  }
  return async () => {
    if (hanging) return hanging
    running ??= start()
    return running
  }
}
