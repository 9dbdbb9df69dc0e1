import { checkOption } from './internal/options/check.ts'

/** The type at a dotted key of an object; `unknown` if there is none. */
export type ConfigAt<T, Key extends string> = Key extends keyof T
  ? T[Key]
  : Key extends `${infer Head}.${infer Rest}`
    ? Head extends keyof T
      ? ConfigAt<NonNullable<T[Head]>, Rest>
      : unknown
    : unknown

/** The type of a read with a fallback. */
export type ConfigOr<Found, Fallback> = unknown extends Found ? Fallback : Exclude<Found, undefined> | Fallback

/** Settings that are read by dotted keys. Only own properties are read, so `__proto__` finds nothing. */
export interface Config<T extends object = object> {
  /** The value at a dotted key, `undefined` if it does not exist. */
  get<const Key extends string>(key: Key): ConfigAt<T, Key>
  /** The value at a dotted key, or the fallback if it is missing or `undefined`. */
  get<const Key extends string, Fallback>(key: Key, fallback: Fallback): ConfigOr<ConfigAt<T, Key>, Fallback>
  /** Set the value at a dotted key, in a copy of the settings. @throws {TypeError} for a key with `__proto__` */
  set(key: string, value: unknown): void
  /** True when something other than `undefined` is at the key. */
  has(key: string): boolean
  /** All current settings. */
  all(): T
}

/**
 * Settings from an object, with the types of that object.
 *
 * @example
 * const config = createConfig({ app: { name: 'shop' }, hosts: ['a', 'b'] })
 * config.get('app.name') // 'shop', a string
 * config.get('hosts.1') // 'b'
 * config.get('app.port', 3000) // 3000
 */
export const createConfig = <T extends object>(settings: T): Config<T> => {
  let current: unknown = settings
  const get = (key: string, fallback?: unknown): unknown => {
    const value = key.split('.').reduce(ownValueOf, current)
    return value === undefined ? fallback : value
  }
  const set = (key: string, value: unknown): void => {
    current = setPath(current, key.split('.'), value)
  }
  return { get, set, has: (key: string): boolean => get(key) !== undefined, all: () => current } as Config<T>
}

const ownValueOf = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from && Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined

/** A copy with the new value; branches outside the path are shared with the original. */
const setPath = (source: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value
  checkOption(name !== '__proto__', 'config: key', 'another name', name)
  const members = typeof source === 'object' && source
  return Object.assign(Array.isArray(source) ? [] : {}, members, {
    [name]: setPath(ownValueOf(source, name), rest, value),
  })
}
