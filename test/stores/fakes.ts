import type {
  DurableObjectNamespace,
  DurableObjectState,
  RateLimitObject,
} from '../../src/stores/durable-object-rate-limit.ts'
import type { KvNamespace } from '../../src/stores/kv-session.ts'

/** What Workers KV does, without its delays: text by key, gone when its time is over, refusing less than a minute. */
export const createKv = (): KvNamespace & { readonly map: Map<string, { value: string; expires: number }> } => {
  const map = new Map<string, { value: string; expires: number }>()
  return {
    map,
    async get(key) {
      const entry = map.get(key)
      return entry && entry.expires > Date.now() ? entry.value : null
    },
    async put(key, value, { expirationTtl }) {
      if (expirationTtl < 60) throw new Error('KV PUT failed: 400 Invalid expiration_ttl: must be at least 60')
      map.set(key, { value, expires: Date.now() + expirationTtl * 1000 })
    },
    async delete(key) {
      map.delete(key)
    },
  }
}

interface Entry {
  readonly object: RateLimitObject
  readonly data: Map<string, string>
  alarm: number | null
  last: Promise<unknown>
}

/** A Durable Object namespace: one object a name, one event at a time, storage by value, alarms on demand. */
export const createNamespace = (Class: new (state: DurableObjectState) => RateLimitObject) => {
  const objects = new Map<string, Entry>()
  const open = (name: string) => {
    const known = objects.get(name)
    if (known) return known
    const data = new Map<string, string>()
    const entry: Entry = {
      data,
      alarm: null,
      last: Promise.resolve(),
      object: new Class({
        storage: {
          get: async (key) => (data.has(key) ? JSON.parse(data.get(key)!) : undefined),
          put: async (key, value) => void data.set(key, JSON.stringify(value)),
          deleteAll: async () => data.clear(),
          getAlarm: async () => entry.alarm,
          setAlarm: async (time) => {
            entry.alarm = time
          },
        },
      }),
    }
    objects.set(name, entry)
    return entry
  }
  const namespace: DurableObjectNamespace = {
    idFromName: (name) => name,
    get: (name: string) => ({
      fetch(url, init) {
        const entry = open(name)
        const answer = entry.last.then(() => entry.object.fetch(new Request(url, init)))
        entry.last = answer.catch(() => {})
        return answer
      },
    }),
  }
  /** Let an object's alarm ring. */
  const ring = async (name: string): Promise<void> => {
    const entry = open(name)
    entry.alarm = null
    await entry.object.alarm()
  }
  return { namespace, objects, ring }
}
