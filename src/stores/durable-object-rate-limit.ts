import { checkOption } from '../internal/options/check.ts'
import type { DurableObjectNamespace } from '../internal/store/durable-object.ts'
import type { RateLimitAlgorithm, RateLimitState, RateLimitStore } from '../internal/store/rate-limit-store.ts'
import { fixedWindow } from '../internal/store/rate-limit-store.ts'

export type { DurableObjectNamespace, DurableObjectStub } from '../internal/store/durable-object.ts'

/** The part of a Durable Object's state that is used. */
export interface DurableObjectState {
  readonly storage: {
    get<T>(key: string): Promise<T | undefined>
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

/** A call of the store, as the object receives it. */
interface Call {
  readonly kind: 'increment' | 'decrement' | 'reset'
  readonly windowMs: number
  readonly max: number
  readonly algorithm: string | undefined
}

/**
 * Count in Durable Objects, one for each key. The count is exact across all locations.
 *
 * @throws {TypeError} if the binding is missing.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, store: (ctx) => durableObjectRateLimit(ctx.env.LIMITER) })
 */
export const durableObjectRateLimit = (namespace: DurableObjectNamespace): Required<RateLimitStore> => {
  const isBinding = typeof namespace?.idFromName === 'function'
  checkOption(isBinding, 'durableObjectRateLimit: namespace', 'a Durable Object binding', namespace)
  const call = async (key: string, kind: Call['kind'], rest: Partial<Call> = {}): Promise<Response> => {
    const stub = namespace.get(namespace.idFromName(key))
    const response = await stub.fetch('https://limit/', { method: 'POST', body: JSON.stringify({ kind, ...rest }) })
    if (!response.ok)
      throw new Error(`The rate limit object responded with ${response.status}: ${await response.text()}`)
    return response
  }
  return {
    algorithms: true,
    shared: true,
    async increment(key, windowMs, rule) {
      const reply = await call(key, 'increment', { windowMs, max: rule?.max ?? 0, algorithm: rule?.algorithm.name })
      const { count, left }: { count: number; left: number } = await reply.json()
      return { count, resetTime: Date.now() + left }
    },
    decrement: (key) => call(key, 'decrement'),
    resetKey: (key) => call(key, 'reset'),
  }
}

/**
 * The class to export and bind: `new_classes = ["Limiter"]`. The count is in storage, so it survives when the object
 * leaves memory. An alarm empties the storage when the window has ended.
 *
 * @param algorithms the algorithms that limiters use besides the fixed window
 * @example
 * export class Limiter extends rateLimitObject([tokenBucket]) {}
 */
export const rateLimitObject = (
  algorithms: readonly RateLimitAlgorithm[] = [],
): (new (
  state: DurableObjectState,
  env?: unknown,
) => RateLimitObject) => {
  const algorithmsByName = new Map(algorithms.map(({ name, hit }) => [name, hit]))
  return class implements RateLimitObject {
    readonly #storage: DurableObjectState['storage']

    constructor({ storage }: DurableObjectState) {
      this.#storage = storage
    }

    /** The storage gates block other requests between reading and writing. */
    async fetch(request: Request): Promise<Response> {
      const { kind, windowMs, max, algorithm }: Call = await request.json()
      const state = await this.#storage.get<RateLimitState>(STATE)
      if (kind === 'reset') await this.#storage.deleteAll()
      if (kind === 'decrement' && state?.count) await this.#storage.put(STATE, { ...state, count: state.count - 1 })
      if (kind !== 'increment') return new Response(null, { status: 204 })
      const hit = algorithm ? algorithmsByName.get(algorithm) : fixedWindow
      if (!hit) return new Response(`no algorithm ${algorithm}`, { status: 400 })
      const now = Date.now()
      const next: RateLimitState = hit(state, now, windowMs, max)
      await this.#storage.put(STATE, next)
      if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(next.expires)
      return Response.json({ count: next.count, left: next.resetTime - now })
    }

    async alarm(): Promise<void> {
      const state = await this.#storage.get<RateLimitState>(STATE)
      if (state && state.expires > Date.now()) await this.#storage.setAlarm(state.expires)
      else await this.#storage.deleteAll()
    }
  }
}

const STATE = 'state'
