/** Values by key. When there are too many, those that were not used for the longest time go. */
export interface Recent<V> {
  get(key: string): V | undefined
  /** Keep a value that says something for `life` milliseconds from `now`. */
  set(key: string, value: V, now: number, life: number): void
  delete(key: string): void
}

/**
 * Keep at most `max` values, and always the half of them that was used last. Two generations: what is used moves to
 * the young one, and when that is full, or older than anything in it can live, it becomes the old one and the old one
 * goes as a whole. So nothing is searched and nothing is taken from the front of a map, which V8 does in time that
 * grows with what was taken before.
 */
export const createRecent = <V>(max: number): Recent<V> => {
  const half = Math.max(1, Math.floor(max / 2))
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  let turned = 0
  let longest = 0

  const put = (key: string, value: V, now: number): void => {
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
      if (older !== undefined) put(key, older, turned)
      return older
    },
    set(key, value, now, life) {
      longest = Math.max(longest, life)
      put(key, value, now)
    },
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
  }
}
