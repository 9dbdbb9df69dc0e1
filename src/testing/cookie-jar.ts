import { MAX_BYTES } from '../internal/cookie/cookie-line.ts'
import { checkNames } from '../internal/options/check.ts'

/** A stored cookie. */
export interface JarCookie {
  readonly name: string
  /** The value as it was sent: percent-encoded, signed or sealed. */
  readonly value: string
  /** Host that set it, or the domain that it named. */
  readonly domain: string
  /** True if only that host gets it, and no host below the domain. */
  readonly hostOnly: boolean
  readonly path: string
  /** Time at which it expires, in milliseconds since 1970. `Infinity` for a session cookie. */
  readonly expires: number
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: string | undefined
}

/** Options of {@link createCookieJar}. */
export interface CookieJarOptions {
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The cookies of one visitor. */
export interface CookieJar {
  /** Value of `Cookie` for a request; `undefined` if no cookie belongs to it. */
  header(url: string | URL): string | undefined
  /** Store the cookies of a response. A cookie that a browser would refuse is left out. */
  take(response: Response, url: string | URL): void
  /** Store the cookie of one `Set-Cookie` line. @returns whether it was stored */
  set(line: string, url: string | URL): boolean
  /** The cookie with that name; if there are several, the one with the longest path. */
  get(name: string): JarCookie | undefined
  /** Delete all cookies. */
  clear(): void
}

/**
 * Stores cookies like a browser (RFC 6265 §5, with the rule for `Secure` of RFC 6265bis). `SameSite` has no effect,
 * because every request of a test comes from the same site. There is no public suffix list.
 *
 * @example
 * const jar = createCookieJar()
 * jar.set('id=1; Path=/; Max-Age=60', 'http://localhost/')
 * jar.header('http://localhost/account') // 'id=1'
 */
export const createCookieJar = (options: CookieJarOptions = {}): CookieJar => {
  checkNames('createCookieJar', options, 'now:function')
  const { now = Date.now } = options
  /** The cookies by domain, path and name, in the order in which they were first set. */
  const cookies = new Map<string, JarCookie>()

  const sorted = (): JarCookie[] =>
    [...cookies.values()].filter(({ expires }) => expires > now()).sort((a, b) => b.path.length - a.path.length)
  const set = (line: string, at: string | URL): boolean => {
    const cookie = parseSetCookie(line, new URL(at), now())
    if (!cookie) return false
    cookies.set(JSON.stringify([cookie.domain, cookie.path, cookie.name]), cookie)
    return true
  }
  return {
    set,
    get: (name) => sorted().find((cookie) => cookie.name === name),
    take(response, url) {
      for (const line of response.headers.getSetCookie()) set(line, url)
    },
    header(at) {
      const url = new URL(at)
      const matching = sorted().filter((cookie) => matchesUrl(cookie, url))
      return matching.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined
    },
    clear: () => cookies.clear(),
  }
}

/** Whether a request gets the cookie (RFC 6265 §5.4). */
const matchesUrl = ({ domain, hostOnly, path, secure }: JarCookie, url: URL): boolean =>
  (hostOnly ? url.hostname === domain : domainMatches(url.hostname, domain)) &&
  (url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)) &&
  (!secure || url.protocol === 'https:')

/** RFC 6265 §5.1.3: an IP address has no parent domains. */
const domainMatches = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host))

/** RFC 6265 §5.2 and §5.3. @returns undefined for a cookie that is ignored */
const parseSetCookie = (line: string, url: URL, now: number): JarCookie | undefined => {
  const [pair = '', ...rest] = line.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals).trim()
  const value = pair.slice(equals + 1).trim()
  if (equals < 1 || !name || new TextEncoder().encode(name + value).length > MAX_BYTES) return undefined
  // The last attribute with the same name counts
  const attributes = new Map(rest.map(readAttribute))
  const domainAttribute = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domainAttribute && !domainMatches(url.hostname, domainAttribute)) return undefined
  const pathAttribute = attributes.get('path')
  const path = pathAttribute?.startsWith('/') ? pathAttribute : url.pathname.replace(/\/[^/]*$/, '') || '/'
  const secure = attributes.has('secure')
  if (secure && url.protocol !== 'https:') return undefined
  return {
    name,
    value,
    domain: domainAttribute || url.hostname,
    hostOnly: !domainAttribute,
    path,
    expires: expiryOf(attributes, now),
    secure,
    httpOnly: attributes.has('httponly'),
    sameSite: attributes.get('samesite')?.toLowerCase(),
  }
}

const readAttribute = (attribute: string): [name: string, value: string] => {
  const [name = '', ...value] = attribute.split('=')
  return [name.trim().toLowerCase(), value.join('=').trim()]
}

/** `Max-Age` wins over `Expires`; invalid values count as absent. */
const expiryOf = (attributes: ReadonlyMap<string, string>, now: number): number => {
  const maxAge = attributes.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1000
  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expires) ? Infinity : expires
}
