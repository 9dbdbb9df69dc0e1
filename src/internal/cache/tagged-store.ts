import { boundedKey } from '../crypto/bounded-key.ts'

/** Strings by key, each with a lifetime in seconds. */
export interface Texts {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string, ttlSeconds: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** The part of an entry that is used here. */
interface Entry {
  readonly body: Uint8Array
  readonly tags: readonly string[]
}

/** Maximum lifetime of an entry, in seconds. */
const LONGEST = 30 * 86_400

/**
 * Store entries as strings. Each tag has a version, and an entry has the versions of its tags: a purge changes the
 * version, so it takes one write, however many entries there are.
 */
export const taggedStore = <E extends Entry>(texts: Texts) => {
  const versionsOf = (tags: readonly string[]): Promise<string[]> =>
    Promise.all(tags.map(async (tag) => (await texts.get(`tag:${tag}`)) ?? ''))
  // Clients choose queries, and the fields that `Vary` names: those may be long, and secrets
  const placeOf = async (key: string): Promise<string> => `entry:${await boundedKey(key)}`
  return {
    async get(key: string): Promise<E | undefined> {
      const text = await texts.get(await placeOf(key))
      if (text === undefined) return undefined
      const { body, versions, ...entry } = JSON.parse(text)
      const now = await versionsOf(entry.tags)
      if (now.some((version, at) => version !== versions[at])) return undefined
      return { ...entry, body: bytesOf(body) }
    },
    async set(key: string, entry: E, ttlSeconds: number): Promise<void> {
      const ttl = Math.min(Math.ceil(ttlSeconds), LONGEST)
      const versions = await versionsOf(entry.tags)
      await texts.set(await placeOf(key), JSON.stringify({ ...entry, body: textOf(entry.body), versions }), ttl)
    },
    delete: async (key: string): Promise<unknown> => texts.delete(await placeOf(key)),
    // The version is kept longer than every entry with an older one
    purge: (tag: string): Promise<unknown> => texts.set(`tag:${tag}`, crypto.randomUUID(), LONGEST + 86_400),
  }
}

/** Base64 in pieces, because the number of arguments of a call is limited. */
const textOf = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
