import { need } from '../internal/need.ts'
import type { SessionStore } from './session-store.ts'

/** What is used of a Workers KV namespace. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** Options of {@link kvSession}. */
export interface KvSessionOptions {
  /** Stands before all keys. @default 'session:' */
  readonly prefix?: string
}

/** KV keeps nothing for less than a minute. */
const LEAST_TTL = 60

/**
 * Keep sessions in Cloudflare KV. KV is eventually consistent: other locations may see a change, a logout too, up to
 * a minute later, and it has no compare-and-set, so the later of two writers wins. Where that is too weak, keep
 * sessions in a Durable Object or a database.
 *
 * @throws {TypeError} when the binding is missing.
 * @example
 * session({ secret, store: (ctx) => kvSession(ctx.env.SESSIONS) })
 */
export const kvSession = (namespace: KvNamespace, options: KvSessionOptions = {}): SessionStore => {
  const { prefix = 'session:' } = options
  need(typeof namespace?.get === 'function', 'namespace', namespace, 'a KV binding')
  return {
    async get(id) {
      const json = await namespace.get(prefix + id)
      const kept = json === null ? undefined : JSON.parse(json)
      return kept && kept.expires > Date.now() ? kept.data : undefined
    },
    async set(id, data, ttlSeconds = 86_400) {
      const kept = { expires: Date.now() + ttlSeconds * 1000, data }
      await namespace.put(prefix + id, JSON.stringify(kept), { expirationTtl: Math.max(LEAST_TTL, ttlSeconds) })
    },
    async destroy(id) {
      await namespace.delete(prefix + id)
    },
  }
}
