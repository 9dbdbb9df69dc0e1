import { createResponse, report } from '#runtime/core'
import { evaluate } from '../header/conditional.ts'
import { parseHttpDate } from '../header/http-date.ts'
import { notModified } from '../header/not-modified.ts'
import type { CacheEntry, CacheStore } from '../store/cache-store.ts'
import { directivesOf, freshnessOf, type Header, usefulSeconds } from './policy.ts'

/** The variant for a request: its key, and its entry, which may be used now or only instead of an error. */
export interface StoredVariant {
  readonly key: string
  readonly entry?: CacheEntry
  /** The response to send now. */
  readonly response?: Response | false
  /** Whether it is to be refreshed. */
  readonly stale?: boolean
}

/** Status of an entry that points to variants. Its random field keeps a new one from variants of a deleted one. */
const VARIANT_INDEX = 0

/** Clients may choose keys. Those of variants begin with one line break, so no client can choose one of them. */
export const primaryKeyOf = (key: string): string => (key.startsWith('\n') ? `\n${key}` : key)

/** A field that is absent matches only where it is absent (RFC 9111 §4.1). */
const secondaryKeyOf = (primaryKey: string, { vary, fields }: CacheEntry, header: Header): string =>
  `\n${JSON.stringify([primaryKey, fields, ...vary.map((name) => [name, header(name)])])}`

/** Look up a key. If the store fails, or contains something else than an entry, there is no entry. */
export const findEntry = async (
  store: CacheStore,
  primaryKey: string,
  header: Header,
  now: () => number,
): Promise<StoredVariant> => {
  let key = primaryKey
  try {
    let entry = await store.get(key)
    if (entry?.status === VARIANT_INDEX) {
      key = secondaryKeyOf(key, entry, header)
      entry = await store.get(key)
    }
    if (!entry || !mayServe(entry, header)) return { key }
    const time = now()
    const use = freshnessOf(entry.life, ageOf(entry, time))
    const stale = use === 'revalidate'
    return { key, entry, response: (stale || use === 'fresh') && storedResponse(entry, header, time), stale }
  } catch (error) {
    report(error)
    return { key }
  }
}

/** Store an entry, and the index of variants. `false` if its key was deleted, or a tag purged, since it was begun. */
export const storeEntry = async (
  store: CacheStore,
  primaryKey: string,
  entry: CacheEntry,
  header: Header,
  generation: unknown,
): Promise<unknown> => {
  const ttl = usefulSeconds(entry.life) - entry.life.age
  try {
    if (!entry.vary.length) return await store.set(primaryKey, entry, ttl, generation)
    // An entry from before the start of this response may have been deleted since, with its variants
    const existing = await store.get(primaryKey)
    const isSame = existing?.status === VARIANT_INDEX && existing.vary.join() === entry.vary.join()
    const indexEntry: CacheEntry = isSame
      ? existing
      : { ...entry, status: VARIANT_INDEX, fields: [['id', crypto.randomUUID()]], body: new Uint8Array(), tags: [] }
    // Not kept longer than its variants: clients choose addresses
    const lifetime = Math.max(ttl, usefulSeconds(indexEntry.life) - ageOf(indexEntry, entry.time))
    if ((await store.set(primaryKey, indexEntry, lifetime, generation)) === false) return false
    return await store.set(secondaryKeyOf(primaryKey, indexEntry, header), entry, ttl, generation)
  } catch (error) {
    return report(error)
  }
}

const fieldOf = ({ fields }: CacheEntry, name: string): string | null =>
  fields.find((field) => field[0] === name)?.[1] ?? null

/** How old an entry is, in seconds (RFC 9111 §4.2.3). */
export const ageOf = ({ time, life }: CacheEntry, now: number): number => life.age + Math.max(0, now - time) / 1000

/** With `Authorization` only if it is public (RFC 9111 §3.5); with a cookie only if it has an explicit lifetime. */
export const mayServe = (entry: CacheEntry, header: Header): boolean => {
  if (header('authorization') !== null) return 'public' in directivesOf(fieldOf(entry, 'cache-control'))
  return header('cookie') === null || hasExplicitLifetime((name) => fieldOf(entry, name))
}

/** Whether a response explicitly allows storing. */
export const hasExplicitLifetime = (header: Header): boolean => {
  const directives = directivesOf(header('cache-control'))
  return ['public', 's-maxage', 'max-age'].some((name) => name in directives) || header('expires') !== null
}

/** Create the response from an entry: the whole response, or 304 (RFC 9111 §4.3.2). */
export const storedResponse = (entry: CacheEntry, header: Header, now: number): Response => {
  const fields = [...entry.fields, ['age', `${Math.floor(ageOf(entry, now))}`] as const]
  const validators = { etag: fieldOf(entry, 'etag'), modified: parseHttpDate(fieldOf(entry, 'last-modified')) }
  return entry.status === 200 && evaluate(header, validators) === 304
    ? notModified(fields, header('if-none-match'))
    : createResponse(entry.body, undefined, entry.status, fields)
}
