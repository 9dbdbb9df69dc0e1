import { isToken, trim } from '../header/field-name.ts'
import { checkNames, checkOption } from '../options/check.ts'

/** Attributes of a cookie that is set. */
export interface CookieOptions {
  /** Subdomains of this domain get it too. @default only the host itself */
  readonly domain?: string
  /** Paths below this one get it. @default '/' */
  readonly path?: string
  /** Time at which the browser deletes it. @default at the end of the browser's session */
  readonly expires?: Date
  /** Seconds until the browser deletes it; overrides `expires`. @default at the end of the browser's session */
  readonly maxAge?: number
  /** Scripts cannot read it. @default false */
  readonly httpOnly?: boolean
  /** Sent over HTTPS only; needed by `SameSite=None`, `Partitioned`, `__Host-` and `__Secure-`. @default false */
  readonly secure?: boolean
  /** Whether cross-site requests have it. @default unspecified, which browsers treat as `lax` */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** A separate cookie for each top-level site that embeds this one (CHIPS). @default false */
  readonly partitioned?: boolean
}

/** Browsers ignore a cookie whose name and value exceed this many bytes (RFC 6265bis §5.6). */
export const MAX_BYTES = 4096

const NAMES = 'domain:string path:string expires maxAge httpOnly:boolean secure:boolean sameSite partitioned:boolean'

/** A path that starts at the root and cannot end the attribute. */
const PATH = /^\/[^;\x00-\x1f\x7f-\uffff]*$/

/** Labels of letters, digits and hyphens with dots between; a leading dot means nothing (RFC 6265bis §5.6.3). */
const DOMAIN = /^\.?[a-z\d-]+(\.[a-z\d-]+)*$/i

/** Value of the first cookie of that name in a `Cookie` header, percent-decoded if possible, otherwise as sent. */
export const readCookie = (header: string | null, name: string): string | undefined => {
  if (!header?.includes(name)) return undefined
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && trim(pair.slice(0, equals)) === name) return decode(trim(pair.slice(equals + 1)))
  }
  return undefined
}

/**
 * The attributes as they follow the value: `; Path=/; HttpOnly`. Code that sets a cookie many times checks it once.
 *
 * @param feature the function whose options these are, for messages
 * @throws {TypeError} for a name or an attribute that browsers would refuse or that would change the meaning of others.
 */
export const cookieAttributes = (name: string, options: CookieOptions, feature: string): string => {
  checkNames(feature, options, NAMES)
  const { domain, path = '/', expires, maxAge, httpOnly, secure, sameSite, partitioned } = options
  // RFC 6265bis §4.1.3: prefixes are compared without case
  const [prefix, host] = /^__(?:secure|(host))-/i.exec(name) ?? []
  const check = (option: string, fine: unknown, expected: string): void => {
    if (!fine) checkOption(false, `${feature}: ${option}`, expected, { name, ...options }[option])
  }
  check('name', isToken(name), 'a name without spaces and separators')
  check('domain', !domain || (!host && DOMAIN.test(domain)), 'a host name, none for __Host-')
  check('path', PATH.test(path) && (!host || path === '/'), 'a path from "/" on, "/" for __Host-')
  check('maxAge', maxAge === undefined || Number.isSafeInteger(maxAge), 'a whole number of seconds')
  check('expires', expires === undefined || (expires instanceof Date && expires.getTime() >= 0), 'a date from 1970 on')
  check('sameSite', sameSite === undefined || /^(strict|lax|none)$/.test(sameSite), '"strict", "lax" or "none"')
  check('secure', secure || !(prefix || partitioned || sameSite === 'none'), `true for ${name}`)
  const attributes = [
    `; Path=${path}`,
    domain && `Domain=${domain}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    expires && `Expires=${expires.toUTCString()}`,
    httpOnly && 'HttpOnly',
    secure && 'Secure',
    sameSite && `SameSite=${sameSite[0]!.toUpperCase()}${sameSite.slice(1)}`,
    partitioned && 'Partitioned',
  ]
  return attributes.filter(Boolean).join('; ')
}

/**
 * The value of `Set-Cookie`, percent-encoded. Halves of characters, which have no escaped form, become U+FFFD.
 *
 * @throws {RangeError} if browsers would drop it because of its size.
 */
export const cookieLine = (name: string, value: string, attributes: string): string => {
  const pair = `${name}=${encodeURIComponent(`${value}`.toWellFormed())}`
  if (pair.length > MAX_BYTES) {
    throw new RangeError(`Cookie ${name}: expected at most ${MAX_BYTES} bytes of name and value, got ${pair.length}`)
  }
  return pair + attributes
}

/** A value with its percent escapes decoded; unchanged if they are malformed. */
export const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
