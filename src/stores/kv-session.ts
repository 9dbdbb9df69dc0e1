import { checkNames, checkOption } from '../internal/options/check.ts'
import { type SessionData, type SessionStore, storedObject } from '../internal/session/session-store.ts'

/** The part of a Workers KV namespace that is used here. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** Options of {@link kvSession}. */
export interface KvSessionOptions {
  /** Prefix of every key. @default 'session:' */
  readonly prefix?: string
}

/**
 * Keep sessions in Cloudflare KV. It is eventually consistent: other locations may see a change, even a logout, up to a
 * minute later. Of two writers the later one wins. If that is too weak, keep sessions in a database.
 *
 * @throws {TypeError} if the binding is missing.
 * @example
 * session({ secret, store: (ctx) => kvSession(ctx.env.SESSIONS) })
 */
export const kvSession = (namespace: KvNamespace, options: KvSessionOptions = {}): SessionStore => {
  checkOption(typeof namespace?.get === 'function', 'kvSession: namespace', 'a KV binding', namespace)
  checkNames('kvSession', options, 'prefix:string')
  const { prefix = 'session:' } = options
  return {
    async get(id) {
      const json = await namespace.get(prefix + id)
      const stored = json === null ? undefined : storedObject(json)
      // The caller checks the data
      return stored && Number(stored.expires) > Date.now() ? (stored.data as SessionData) : undefined
    },
    async set(id, data, ttlSeconds = 86_400) {
      const record = { expires: Date.now() + ttlSeconds * 1000, data }
      // KV accepts no shorter time than a minute
      await namespace.put(prefix + id, JSON.stringify(record), { expirationTtl: Math.max(60, ttlSeconds) })
    },
    async destroy(id) {
      await namespace.delete(prefix + id)
    },
  }
}
