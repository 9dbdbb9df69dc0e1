import { parseHttpDate } from '../header/http-date.ts'
import type { CacheEntry } from '../store/cache-store.ts'

/** The lifetime of a stored response, in seconds. */
export type EntryLifetime = CacheEntry['life']

/** Lifetimes of a response without caching headers, in seconds. */
export interface DefaultLifetimes {
  readonly maxAge?: number | undefined
  readonly staleWhileRevalidate?: number | undefined
  readonly staleIfError?: number | undefined
}

/** Read a header of a message. */
export type Header = (name: string) => string | null

/** A directive and perhaps its value, quoted or not (RFC 9111 §5.2). */
const DIRECTIVE = /([^\s,;="]+)(?:[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,"]*)))?/g

/** Directives of a Cache-Control by lower-case name, `''` without a value; the first of two with one name counts. */
export const directivesOf = (field: string | null): Readonly<Record<string, string | undefined>> => {
  const directives: Record<string, string> = Object.create(null)
  for (const [, name, quoted, plain] of (field ?? '').matchAll(DIRECTIVE))
    directives[name!.toLowerCase()] ??= quoted ?? plain ?? ''
  return directives
}

/** `undefined` if the directive is absent, 0 if it is not a number, which counts as stale. */
const secondsOf = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : /^\d+$/.test(value) ? Number(value) : 0

/** Statuses that a cache understands and may store (RFC 9111 §3), except 206 and 304, which are partial. */
const STORABLE = /* @__PURE__ */ new Set<number>([200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501])

/** Statuses to which the default lifetime applies: successes and permanent redirects. */
const LASTING = /* @__PURE__ */ new Set<number>([200, 203, 204, 300, 301, 308])

/** How long a shared cache may use a response (RFC 9111 §3, §4.2); `undefined` if it must not store it. */
export const lifeOf = (
  status: number,
  request: Header,
  response: Header,
  defaults: DefaultLifetimes,
  now: number,
): EntryLifetime | undefined => {
  const directives = directivesOf(response('cache-control'))
  const isForbidden = ['no-store', 'private', 'no-cache'].some((name) => name in directives)
  // HTTP/1.0 (RFC 9111 §5.4)
  const isOldNoCache = response('cache-control') === null && /no-cache/i.test(response('pragma') ?? '')
  const isPersonal = response('set-cookie') !== null || request('authorization') !== null
  const variesAlways = response('vary')?.includes('*')
  if (!STORABLE.has(status) || isForbidden || isOldNoCache || variesAlways) return undefined
  if (isPersonal && !('public' in directives)) return undefined
  const date = parseHttpDate(response('date')) ?? now
  const lifetime =
    secondsOf(directives['s-maxage']) ?? secondsOf(directives['max-age']) ?? expiresIn(response('expires'), date)
  const fresh = lifetime ?? (LASTING.has(status) ? defaults.maxAge : undefined)
  // A response that may not be sent while it is fresh may not be sent later either
  const { staleWhileRevalidate, staleIfError }: DefaultLifetimes = lifetime === 0 || fresh === undefined ? {} : defaults
  // RFC 9111 §5.2.2.2, §5.2.2.8, §5.2.2.10
  const mayBeStale = !['must-revalidate', 'proxy-revalidate', 's-maxage'].some((name) => name in directives)
  const life = {
    fresh: fresh ?? 0,
    whileRevalidate: mayBeStale ? (secondsOf(directives['stale-while-revalidate']) ?? staleWhileRevalidate ?? 0) : 0,
    ifError: mayBeStale ? (secondsOf(directives['stale-if-error']) ?? staleIfError ?? 0) : 0,
    // RFC 9111 §4.2.3: from `Age` or from `Date`, whichever is larger
    age: Math.max(0, Math.floor((now - date) / 1000), secondsOf(response('age') ?? undefined) ?? 0),
  }
  return usefulSeconds(life) > life.age ? life : undefined
}

/** How long a response is useful, counted from its creation, in seconds. */
export const usefulSeconds = ({ fresh, whileRevalidate, ifError }: EntryLifetime): number =>
  fresh + Math.max(whileRevalidate, ifError)

/** An invalid date, such as `0`, counts as expired (RFC 9111 §5.3). */
const expiresIn = (expires: string | null, date: number): number | undefined =>
  expires === null ? undefined : Math.max(0, Math.floor(((parseHttpDate(expires) ?? 0) - date) / 1000))

/** How an entry of an age is used: it is sent, sent and refreshed, sent instead of an error, or not used. */
export const freshnessOf = (life: EntryLifetime, age: number): 'fresh' | 'revalidate' | 'error' | 'none' => {
  const over = age - life.fresh
  if (over < 0) return 'fresh'
  if (over < life.whileRevalidate) return 'revalidate'
  return over < life.ifError ? 'error' : 'none'
}
