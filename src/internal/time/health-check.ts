import type { Awaitable } from '../promise/awaitable.ts'
import { inTime } from './in-time.ts'

/** Checks one need of the application. Fails if it throws, rejects, returns `false` or is late: then it is aborted. */
export type HealthCheck = (signal: AbortSignal) => Awaitable<unknown>

/** The outcome of a check. */
export interface Outcome {
  readonly status: 'ok' | 'failed' | 'timed out'
  /** How long it took, in whole milliseconds. */
  readonly durationMs: number
  readonly error?: unknown
}

/** A check that exceeds its limit has failed, even if it continues. Calls while it runs share its outcome. */
export const toCheck = (probe: HealthCheck, timeoutMs: number, now: () => number): (() => Promise<Outcome>) => {
  let running: Promise<Outcome> | undefined
  const start = async (): Promise<Outcome> => {
    const startedAt = now()
    const limit = new AbortController()
    const toTimeout = (): Error => {
      limit.abort(new Error(`Timed out after ${timeoutMs} ms`))
      return limit.signal.reason
    }
    let status: Outcome['status'] = 'ok'
    let error: unknown
    try {
      const result = await inTime(timeoutMs, toTimeout, async () => probe(limit.signal))
      if (result === false) throw new Error('The check returned false')
    } catch (thrown) {
      error = thrown
      status = limit.signal.aborted ? 'timed out' : 'failed'
    }
    running = undefined
    return { status, durationMs: Math.round(now() - startedAt), error }
  }
  return () => {
    running ??= start()
    return running
  }
}
