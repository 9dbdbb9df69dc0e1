import { parseHttpDate } from '../header/http-date.ts'
import type { CacheEntry } from '../store/cache-store.ts'
import { type Directives, directivesOf, secondsOf } from './directives.ts'

/** The lifetime of a stored response, in seconds. */
export type EntryLifetime = CacheEntry['life']

/** Defaults for a response without caching headers, in seconds. */
export interface Defaults {
  readonly maxAge?: number | undefined
  readonly staleWhileRevalidate?: number | undefined
  readonly staleIfError?: number | undefined
}

/** Statuses that a cache understands and may store (RFC 9111 §3), except 206 and 304, which are partial. */
const KEPT = /* @__PURE__ */ new Set<number>([200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501])

/** Statuses to which the default lifetime applies: successes and permanent redirects. */
const LASTING = /* @__PURE__ */ new Set<number>([200, 203, 204, 300, 301, 308])

/** Read a header of a message. */
type Header = (name: string) => string | null

/**
 * How long a shared cache may store a response (RFC 9111 §3 and §4.2).
 *
 * @returns `undefined` if it must not keep it, or would never use it.
 */
export const lifeOf = (
  status: number,
  request: Header,
  response: Header,
  defaults: Defaults,
  now: number,
): EntryLifetime | undefined => {
  const says = directivesOf(response('cache-control'))
  const open = 'public' in says
  if (
    !KEPT.has(status) ||
    'no-store' in says ||
    'private' in says ||
    'no-cache' in says ||
    // The header of applications of HTTP/1.0 (RFC 9111 §5.4)
    (response('cache-control') === null && /no-cache/i.test(response('pragma') ?? '')) ||
    (response('set-cookie') !== null && !open) ||
    (request('authorization') !== null && !open) ||
    /\*/.test(response('vary') ?? '')
  )
    return undefined
  const date = parseHttpDate(response('date')) ?? now
  const lifetime = secondsOf(says['s-maxage']) ?? secondsOf(says['max-age']) ?? expiresIn(response('expires'), date)
  const fresh = lifetime ?? (LASTING.has(status) ? defaults.maxAge : undefined)
  // A response that may not be sent while it is fresh may not be sent later either
  const { staleWhileRevalidate, staleIfError }: Defaults = lifetime === 0 || fresh === undefined ? {} : defaults
  const stale = !mustRevalidate(says)
  const life = {
    fresh: fresh ?? 0,
    whileRevalidate: stale ? (secondsOf(says['stale-while-revalidate']) ?? staleWhileRevalidate ?? 0) : 0,
    ifError: stale ? (secondsOf(says['stale-if-error']) ?? staleIfError ?? 0) : 0,
    // RFC 9111 §4.2.3: from `Age` or from `Date`, whichever is larger
    age: Math.max(0, Math.floor((now - date) / 1000), secondsOf(response('age') ?? undefined) ?? 0),
  }
  return usefulSeconds(life) > life.age ? life : undefined
}

/** How long a response is useful, counted from its creation, in seconds. */
export const usefulSeconds = ({ fresh, whileRevalidate, ifError }: EntryLifetime): number =>
  fresh + Math.max(whileRevalidate, ifError)

/** RFC 9111 §5.2.2.2, §5.2.2.8, §5.2.2.10: these forbid sending a stale response. */
const mustRevalidate = (says: Directives): boolean =>
  'must-revalidate' in says || 'proxy-revalidate' in says || 's-maxage' in says

/** An invalid date, such as `0`, counts as expired (RFC 9111 §5.3). */
const expiresIn = (expires: string | null, date: number): number | undefined =>
  expires === null ? undefined : Math.max(0, Math.floor(((parseHttpDate(expires) ?? 0) - date) / 1000))

/**
 * How a stored response of an age may be used: `fresh` to send it, `revalidate` to send and refresh it,
 * `error` to keep it for an error, `none` to drop it.
 */
export const useOf = (life: EntryLifetime, age: number): 'fresh' | 'revalidate' | 'error' | 'none' => {
  const over = age - life.fresh
  if (over < 0) return 'fresh'
  if (over < life.whileRevalidate) return 'revalidate'
  return over < life.ifError ? 'error' : 'none'
}
