import { type CookieOptions, cookieAttributes, cookieLine, decode, readCookie } from './internal/cookie/cookie-line.ts'
import { openSigned, secretsOf, signValue } from './internal/crypto/hmac.ts'
import { trim } from './internal/header/field-name.ts'
import { NullRecord } from './internal/object/null-record.ts'
import { markHandled } from './internal/promise/awaitable.ts'
import type { AnyContext } from './internal/types/context.ts'
import { addEdit } from './kernel/edits.ts'

export type { CookieOptions } from './internal/cookie/cookie-line.ts'

/** One secret, or several, of which the first signs and all are accepted, so that a secret can be replaced. */
export type Secret = string | readonly string[]

type Reader = Pick<AnyContext, 'header'>

/**
 * Value of a cookie of the request, percent-decoded. A malformed escape leaves the value as it was sent.
 *
 * @example
 * getCookie(ctx, 'theme') // 'dark', or undefined
 */
export const getCookie = (ctx: Reader, name: string): string | undefined => readCookie(ctx.header('cookie'), name)

/** The cookies of the request by name, without a prototype. Of equal names the first counts (RFC 6265bis §5.8.3). */
export const getCookies = (ctx: Reader): Record<string, string> => {
  const cookies: Record<string, string> = new NullRecord()
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
  const jar = jars.get(ctx) ?? openJar(ctx)
  jar.set(`${name};${domain.toLowerCase()};${path}`, line)
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

/** Value of a cookie that {@link setSignedCookie} set; `undefined` if no secret has signed it under this name. */
export const getSignedCookie = (ctx: Reader, name: string, secret: Secret): Promise<string | undefined> => {
  const read = async (): Promise<string | undefined> => {
    const secrets = secretsOf(secret, 'getSignedCookie')
    const sealed = getCookie(ctx, name)
    return sealed === undefined ? undefined : openSigned(`cookie\n${name}`, sealed, secrets)
  }
  return markHandled(read())
}

/**
 * Set a cookie whose value the client can read but not change: HMAC-SHA-256 over name and value.
 *
 * @throws {TypeError} as {@link setCookie} does, and for an empty secret; in production also below 32 bytes.
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
    setCookie(ctx, name, await signValue(`cookie\n${name}`, value, newest!), options)
  }
  return markHandled(write())
}

/** The `Set-Cookie` lines of a response by cookie: RFC 6265bis §4.1.1 forbids two of the same one. */
const jars: WeakMap<object, Map<string, string>> = /* @__PURE__ */ new WeakMap()

const openJar = (ctx: AnyContext): Map<string, string> => {
  const jar = new Map<string, string>()
  jars.set(ctx, jar)
  addEdit(ctx, () => {
    // A cookie that a later edit sets goes into a new jar, which is applied after that edit
    jars.delete(ctx)
    addEdit(ctx, Array.from(jar.values(), (line) => ['set-cookie', line]).flat())
  })
  return jar
}
