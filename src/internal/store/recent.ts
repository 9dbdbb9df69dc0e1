/** Values by key. If there are too many, the least recently used ones are dropped. */
export interface RecentValues<V> {
  get(key: string): V | undefined
  /** Keep a value that is valid for `life` milliseconds from `now`. */
  set(key: string, value: V, now: number, life: number): void
  delete(key: string): void
}

/**
 * Keep at most `max` values, and always the more recently used half. There are two generations: values that are used
 * move to the young one. When that is full, or all its values have expired, it becomes the old one, and the previous
 * old one is dropped as a whole. So nothing is searched, and nothing is deleted from the front of a map, which takes V8
 * longer the more was deleted before.
 */
export const createRecent = <V>(max: number): RecentValues<V> => {
  const half = Math.max(1, Math.floor(max / 2))
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  let turned = 0
  let longest = 0

  const setNewest = (key: string, value: V, now: number): void => {
    if (now - turned > longest || (young.size >= half && !young.has(key))) {
      old = young
      young = new Map()
      turned = now
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) setNewest(key, older, turned)
      return older
    },
    set(key, value, now, life) {
      longest = Math.max(longest, life)
      setNewest(key, value, now)
    },
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
  }
}
