import {
  type CookieOptions,
  cookieAttributes,
  cookieLine,
  decode,
  readCookie,
  trim,
} from './internal/cookie/cookie-line.ts'
import { openSigned, secretsOf, signValue } from './internal/crypto/hmac.ts'
import { Bag } from './internal/object/bag.ts'
import { markHandled } from './internal/promise/awaitable.ts'
import type { AnyContext } from './internal/types/context.ts'
import { onResponse } from './kernel/edits.ts'

export type { CookieOptions } from './internal/cookie/cookie-line.ts'

/**
 * One secret, or several: the first signs, all are accepted, so a secret can be replaced without logging anybody out.
 */
export type Secret = string | readonly string[]

/** The part of a context that these functions need. */
type Reader = Pick<AnyContext, 'header'>

/**
 * Value of a cookie of the request, percent-decoded. A malformed escape leaves the value as it was sent.
 *
 * @example
 * getCookie(ctx, 'theme') // 'dark', or undefined
 */
export const getCookie = (ctx: Reader, name: string): string | undefined => readCookie(ctx.header('cookie'), name)

/**
 * All cookies of the request by name. The first of several with the same name is used, which is the one with the
 * longest path (RFC 6265bis §5.8.3). The record has no prototype.
 */
export const getCookies = (ctx: Reader): Record<string, string> => {
  const cookies: Record<string, string> = new Bag()
  for (const pair of (ctx.header('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    const name = trim(pair.slice(0, Math.max(0, equals)))
    if (name && !(name in cookies)) cookies[name] = decode(trim(pair.slice(equals + 1)))
  }
  return cookies
}

/**
 * Set a cookie on the response, no matter what creates it. Setting the same cookie again replaces it.
 *
 * @throws {TypeError} for a name or an attribute that browsers refuse, such as `__Host-` without `secure`.
 * @throws {RangeError} when name and value together exceed 4,096 bytes.
 * @example
 * setCookie(ctx, 'theme', 'dark', { maxAge: 31_536_000, sameSite: 'lax' })
 */
export const setCookie = (ctx: AnyContext, name: string, value: string, options: CookieOptions = {}): void => {
  const line = cookieLine(name, value, cookieAttributes(name, options, 'setCookie'))
  const { domain = '', path = '/' } = options
  appendCookie(ctx, `${name};${domain.toLowerCase()};${path}`, line)
}

/**
 * Delete a cookie in the browser. `domain` and `path` must be those it was set with.
 *
 * @example
 * deleteCookie(ctx, '__Host-id', { secure: true })
 */
export const deleteCookie = (
  ctx: AnyContext,
  name: string,
  options: Omit<CookieOptions, 'expires' | 'maxAge'> = {},
): void => setCookie(ctx, name, '', { ...options, maxAge: 0 })

/**
 * Value of a cookie that {@link setSignedCookie} set; `undefined` when it is absent, was changed, was signed with
 * another secret, or was signed under another name.
 */
export const getSignedCookie = (ctx: Reader, name: string, secret: Secret): Promise<string | undefined> => {
  const read = async (): Promise<string | undefined> => {
    const secrets = secretsOf(secret, 'getSignedCookie')
    const sealed = getCookie(ctx, name)
    return sealed === undefined ? undefined : openSigned('cookie', name, sealed, secrets)
  }
  return markHandled(read())
}

/**
 * Set a cookie whose value the client can read but not change: HMAC-SHA-256 over name and value.
 *
 * @throws {TypeError} as {@link setCookie} does, and for an empty secret; in production also for a secret below 32
 * bytes.
 * @example
 * await setSignedCookie(ctx, 'cart', '17', [env.COOKIE_SECRET, env.OLD_COOKIE_SECRET], { httpOnly: true })
 */
export const setSignedCookie = (
  ctx: AnyContext,
  name: string,
  value: string,
  secret: Secret,
  options: CookieOptions = {},
): Promise<void> => {
  const write = async (): Promise<void> => {
    const [newest] = secretsOf(secret, 'setSignedCookie')
    setCookie(ctx, name, await signValue('cookie', name, value, newest!), options)
  }
  return markHandled(write())
}

/** The `Set-Cookie` lines of the response: a field list, and the position of each cookie in it. */
interface Jar {
  readonly list: string[]
  readonly places: Map<string, number>
}

/** The jar of each request that has set a cookie; weak, so it is freed with the request. */
const jars: WeakMap<object, Jar> = /* @__PURE__ */ new WeakMap()

/**
 * Put a line into the field list of this request. A cookie that was set before is replaced: RFC 6265bis §4.1.1 forbids
 * two lines with the same name, and which one wins would depend on the order of the edits.
 */
const appendCookie = (ctx: AnyContext, cookie: string, line: string): void => {
  const jar = jars.get(ctx) ?? openJar(ctx)
  const index = jar.places.get(cookie)
  if (index === undefined) jar.places.set(cookie, jar.list.push('set-cookie', line) - 1)
  else jar.list[index] = line
}

const openJar = (ctx: AnyContext): Jar => {
  const jar: Jar = { list: [], places: new Map() }
  jars.set(ctx, jar)
  onResponse(ctx, () => {
    // From here on, a cookie that a later edit sets goes into a new jar, which is applied after that edit
    jars.delete(ctx)
    onResponse(ctx, jar.list)
  })
  return jar
}
