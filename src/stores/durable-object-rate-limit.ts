import { fixedWindow } from '../internal/fixed-window.ts'
import { need } from '../internal/need.ts'
import type { RateLimitAlgorithm, RateLimitState, RateLimitStore } from './rate-limit-store.ts'

/** What is used of a Durable Object namespace. */
export interface DurableObjectNamespace {
  idFromName(name: string): unknown
  get(id: any): { fetch(url: string, init: RequestInit): Promise<Response> } // any: the platform's own id type
}

/** What is used of a Durable Object's state. */
export interface DurableObjectState {
  readonly storage: {
    get(key: string): Promise<unknown>
    put(key: string, value: unknown): Promise<void>
    deleteAll(): Promise<void>
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
  }
}

/** A Durable Object that counts for one key. */
export interface RateLimitObject {
  fetch(request: Request): Promise<Response>
  alarm(): Promise<void>
}

/** One call of the store, as the object gets it. */
interface Call {
  readonly kind: 'increment' | 'decrement' | 'reset'
  readonly windowMs: number
  readonly max: number
  readonly algorithm: string | undefined
}

/**
 * Count in Durable Objects, one for each key: exact across all locations.
 *
 * @throws {TypeError} when the binding is missing.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, store: (ctx) => durableObjectRateLimit(ctx.env.LIMITER) })
 */
export const durableObjectRateLimit = (namespace: DurableObjectNamespace): Required<RateLimitStore> => {
  need(typeof namespace?.idFromName === 'function', 'namespace', namespace, 'a Durable Object binding')
  const call = async (key: string, kind: Call['kind'], rest: Partial<Call> = {}): Promise<Response> => {
    const stub = namespace.get(namespace.idFromName(key))
    const answer = await stub.fetch('https://limit/', { method: 'POST', body: JSON.stringify({ kind, ...rest }) })
    if (!answer.ok) throw new Error(`The rate limit object answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  return {
    algorithms: true,
    shared: true,
    async increment(key, windowMs, rule) {
      const answer = await call(key, 'increment', { windowMs, max: rule?.max ?? 0, algorithm: rule?.algorithm.name })
      const { count, left } = (await answer.json()) as { count: number; left: number }
      return { count, resetTime: Date.now() + left }
    },
    decrement: (key) => call(key, 'decrement').then(() => undefined),
    resetKey: (key) => call(key, 'reset').then(() => undefined),
  }
}

/**
 * The class to export and bind: `new_classes = ["Limiter"]`. The count is kept in storage, so it outlives the
 * object's memory, and an alarm empties the storage when the count says nothing more.
 *
 * @param algorithms those that limiters use beyond the fixed window
 * @example
 * export class Limiter extends rateLimitObject([tokenBucket]) {}
 */
export const rateLimitObject = (
  algorithms: readonly RateLimitAlgorithm[] = [],
): (new (
  state: DurableObjectState,
  env?: unknown,
) => RateLimitObject) => {
  const steps = new Map(algorithms.map(({ name, step }) => [name, step]))
  return class implements RateLimitObject {
    readonly #storage: DurableObjectState['storage']

    constructor({ storage }: DurableObjectState) {
      this.#storage = storage
    }

    /** Storage gates let no other request in between reading and writing. */
    async fetch(request: Request): Promise<Response> {
      const { kind, windowMs, max, algorithm }: Call = await request.json()
      const state = (await this.#storage.get(STATE)) as RateLimitState | undefined
      if (kind === 'reset') await this.#storage.deleteAll()
      if (kind === 'decrement' && state?.count) await this.#storage.put(STATE, { ...state, count: state.count - 1 })
      if (kind !== 'increment') return new Response(null, { status: 204 })
      const step = algorithm ? steps.get(algorithm) : fixedWindow
      if (!step) return new Response(`no algorithm ${algorithm}`, { status: 400 })
      const now = Date.now()
      const next: RateLimitState = step(state, now, windowMs, max)
      await this.#storage.put(STATE, next)
      if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(next.expires)
      return Response.json({ count: next.count, left: next.resetTime - now })
    }

    async alarm(): Promise<void> {
      const state = (await this.#storage.get(STATE)) as RateLimitState | undefined
      if (state && state.expires > Date.now()) await this.#storage.setAlarm(state.expires)
      else await this.#storage.deleteAll()
    }
  }
}

const STATE = 'state'
