interface Expiring {
  /** In milliseconds since 1970. */
  readonly expires: number
  /** Without a size, a value counts as one. */
  readonly size?: number
}

/** Values by key, until they expire. If there are too many, the least recently used ones are dropped. */
export interface RecentValues<V> {
  get(key: string): V | undefined
  /** Keep a value. One that is larger than half of the maximum is not kept. */
  set(key: string, value: V): void
  delete(key: string): void
  /** All values; some may have expired. */
  entries(): Iterable<readonly [key: string, value: V]>
}

/**
 * Keep values of at most `max` in total, and always the more recently used half. There are two generations: values that
 * are used move to the young one. When that is full, or all its values have expired, it becomes the old one, and the
 * previous old one is dropped as a whole: deleting from the front of a map takes V8 longer the more was deleted before.
 */
export const createRecent = <V extends Expiring>(max: number, now: () => number): RecentValues<V> => {
  const half = max / 2
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  let used = 0
  let turned = 0
  let longest = 0

  const remove = (key: string): void => {
    used -= sizeOf(young.get(key))
    young.delete(key)
    old.delete(key)
  }
  const setNewest = (key: string, value: V, time: number): void => {
    const size = sizeOf(value)
    if (size > half) {
      remove(key)
      return
    }
    used += size - sizeOf(young.get(key))
    if (time - turned > longest || used > half) {
      old = young
      young = new Map()
      used = size
      turned = time
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const value = young.get(key) ?? old.get(key)
      if (!value || value.expires <= now()) return undefined
      if (!young.has(key)) setNewest(key, value, turned)
      return value
    },
    set(key, value) {
      const time = now()
      longest = Math.max(longest, value.expires - time)
      setNewest(key, value, time)
    },
    delete: remove,
    entries: () => [...old, ...young],
  }
}

const sizeOf = (value: Expiring | undefined): number => (value ? (value.size ?? 1) : 0)
