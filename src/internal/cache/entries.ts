import { createResponse, report } from '#runtime/core'
import { evaluate } from '../header/conditional.ts'
import { parseHttpDate } from '../header/http-date.ts'
import { notModified } from '../header/not-modified.ts'
import type { CacheEntry, CacheStore } from '../store/cache-store.ts'
import { directivesOf } from './directives.ts'
import { type EntryLifetime, usefulSeconds, useOf } from './policy.ts'

type Header = (name: string) => string | null

/** The key of the variant for a request, and its entry, which may be used: now, or only instead of an error. */
export interface StoredVariant {
  readonly at: string
  readonly entry?: CacheEntry
  /** The response to send now. */
  readonly response?: Response | false
  /** Whether it is to be refreshed. */
  readonly stale?: boolean
}

/**
 * Status of an entry that points to the variants of a URL and is not a response itself. Its only field is random: one
 * that is created after it was deleted points to others.
 */
const VARIANT_INDEX = 0

/** Headers that belong to one connection or one client, or are created for each response. */
const NOT_STORED =
  /^(?:set-cookie2?|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|age)$/

/**
 * Where the first entry of a key is stored. Clients may choose keys: none of them is the place of a variant, which
 * begins with one line break.
 */
export const primaryKeyOf = (key: string): string => (key.startsWith('\n') ? `\n${key}` : key)

/** A field that is absent matches only where it is absent (RFC 9111 §4.1). */
const secondaryKeyOf = (place: string, { vary, fields }: Pick<CacheEntry, 'vary' | 'fields'>, header: Header): string =>
  `\n${JSON.stringify([place, fields, ...vary.map((name) => [name, header(name)])])}`

/**
 * Look up a place. If the store fails, or has something that is not a response because something else wrote to it,
 * nothing is found.
 */
export const findEntry = async (
  store: CacheStore,
  place: string,
  header: Header,
  now: () => number,
): Promise<StoredVariant> => {
  let at = place
  try {
    let entry = await store.get(place)
    if (entry?.status === VARIANT_INDEX) {
      at = secondaryKeyOf(place, entry, header)
      entry = await store.get(at)
    }
    if (!entry || !matchesVary(entry, header)) return { at }
    const time = now()
    const use = useOf(entry.life, ageOf(entry, time))
    const stale = use === 'revalidate'
    return { at, entry, response: (stale || use === 'fresh') && answerWith(entry, header, time), stale }
  } catch (error) {
    report(error)
    return { at }
  }
}

/**
 * Store an entry, and the entry that points to it if it is one of several variants.
 *
 * @returns `false` if the response was begun before its key was deleted, or one of its tags purged
 */
export const keepEntry = async (
  store: CacheStore,
  place: string,
  entry: CacheEntry,
  header: Header,
  generation: unknown,
): Promise<unknown> => {
  const ttl = usefulSeconds(entry.life) - entry.life.age
  try {
    if (!entry.vary.length) return await store.set(place, entry, ttl, generation)
    // An entry from before the start of this response may have been deleted since, with its variants
    const there = await store.get(place)
    const same = there?.status === VARIANT_INDEX && there.vary.join() === entry.vary.join()
    const indexEntry: CacheEntry = same
      ? there
      : { ...entry, status: VARIANT_INDEX, fields: [['id', crypto.randomUUID()]], body: new Uint8Array(), tags: [] }
    // Not kept longer than its variants: clients choose addresses
    const lifetime = Math.max(ttl, usefulSeconds(indexEntry.life) - ageOf(indexEntry, entry.time))
    return (
      (await store.set(place, indexEntry, lifetime, generation)) !== false &&
      (await store.set(secondaryKeyOf(place, indexEntry, header), entry, ttl, generation))
    )
  } catch (error) {
    return report(error)
  }
}

/** The entry of a response, without its body. */
export const describe = (
  { status, headers }: Response,
  varies: string,
  life: EntryLifetime,
  time: number,
  tags: readonly string[],
): Omit<CacheEntry, 'body'> => {
  const fields = [...headers].filter(([name]) => !NOT_STORED.test(name))
  if (!headers.has('date')) fields.push(['date', new Date(time).toUTCString()])
  const vary = varies.toLowerCase().split(/[\s,]/)
  return { status, fields, time, life, vary: [...new Set(vary)].filter(Boolean).sort(), tags }
}

export const fieldOf = ({ fields }: Pick<CacheEntry, 'fields'>, name: string): string | null =>
  fields.find(([known]) => known === name)?.[1] ?? null

/** How old an entry is, in seconds (RFC 9111 §4.2.3). */
export const ageOf = ({ time, life }: CacheEntry, now: number): number => life.age + Math.max(0, now - time) / 1000

/**
 * Whether an entry may be used for a request with credentials: with `Authorization` only if it is public (RFC 9111
 * §3.5); with a cookie only if it has an explicit lifetime.
 */
export const matchesVary = (entry: CacheEntry, header: Header): boolean => {
  if (header('authorization') !== null) return 'public' in directivesOf(fieldOf(entry, 'cache-control'))
  return header('cookie') === null || hasExplicitLifetime((name) => fieldOf(entry, name))
}

/** Whether a response explicitly allows storing. */
export const hasExplicitLifetime = (header: Header): boolean => {
  const says = directivesOf(header('cache-control'))
  return 'public' in says || 's-maxage' in says || 'max-age' in says || header('expires') !== null
}

/** Create the response from an entry: the whole response, or 304 (RFC 9111 §4.3.2). */
export const answerWith = (entry: CacheEntry, header: Header, now: number): Response => {
  const fields = [...entry.fields, ['age', `${Math.floor(ageOf(entry, now))}`] as const]
  const validators = { etag: fieldOf(entry, 'etag'), modified: parseHttpDate(fieldOf(entry, 'last-modified')) }
  return entry.status === 200 && evaluate(header, validators) === 304
    ? notModified(fields, header('if-none-match'))
    : createResponse(entry.body, undefined, entry.status, fields)
}
