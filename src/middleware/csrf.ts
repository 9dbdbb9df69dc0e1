import { type CookieOptions, cookieAttributes, cookieLine, readCookie } from '../internal/cookie/cookie-line.ts'
import { openToken, type StoredToken, sealToken, unmaskToken } from '../internal/crypto/csrf-token.ts'
import { equal } from '../internal/crypto/equal.ts'
import { secretsOf } from '../internal/crypto/hmac.ts'
import { randomToken } from '../internal/crypto/token.ts'
import { isToken } from '../internal/header/field-name.ts'
import { AN_ORIGIN, isOrigin } from '../internal/header/origin.ts'
import { checkNames, checkOption, checkRecord, checkWhole } from '../internal/options/check.ts'
import { checkMethods } from '../internal/options/check-methods.ts'
import type { Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { addEdit } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

export { maskCsrfToken } from '../internal/crypto/csrf-token.ts'

/** Attributes of the token's cookie. */
export interface CsrfCookieOptions extends Omit<CookieOptions, 'expires' | 'maxAge' | 'secure'> {
  /** Scripts cannot read it: they get the token from the page or a route. @default true */
  readonly httpOnly?: boolean
  /** @default 'lax' */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** Sent over HTTPS only. @default true if the request came over HTTPS, or if the prefix of the name needs it */
  readonly secure?: boolean
}

/** Options of {@link csrf}. */
export interface CsrfOptions<Extra = unknown> {
  /** Secret that signs the token. The first of several signs, and all are accepted. */
  readonly secret: string | readonly string[]
  /** Name of the cookie; `__Host-csrf` is the safest. @default '_csrf' */
  readonly cookieName?: string
  /** Header in which a client sends the token. @default 'x-csrf-token' */
  readonly headerName?: string
  /** Field of a form in which a client sends the token, if a body parser has run before. @default '_csrf' */
  readonly fieldName?: string
  /** Methods that change nothing and need no token. @default ['GET', 'HEAD', 'OPTIONS'] */
  readonly safeMethods?: readonly string[]
  /** Length of a token in characters of six bits, 16 to 1024. @default 32 */
  readonly tokenLength?: number
  /** How long a token is accepted, in milliseconds. @default 3600000 */
  readonly expirationTime?: number
  /** Attributes of the cookie. */
  readonly cookie?: CsrfCookieOptions
  /** Other origins whose pages may make requests: `https://admin.example.com`. @default [] */
  readonly origins?: readonly string[]
  /** The session that a token belongs to. @default the id of `session()`, if that ran before */
  readonly getSessionId?: (ctx: CallbackContext<Extra>) => Awaitable<string | undefined>
  /** Requests that need no token. A request with `Authorization: Bearer` and without cookies never needs one. */
  readonly ignore?: (ctx: CallbackContext<Extra>) => Awaitable<boolean>
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

const NAMES =
  'secret cookieName headerName fieldName:string safeMethods tokenLength expirationTime cookie origins getSessionId:function ignore:function now:function'

/** The reason why a request was refused. */
export type CsrfCode = 'csrf_missing' | 'csrf_invalid' | 'csrf_expired'

/**
 * Refuse requests that another site caused in a browser: a signed double-submit cookie, bound to the session.
 *
 * Writes `ctx.state.csrfToken`, which the client must send back in a header or a form field. A response for which the
 * token was read, and one to an accepted form, is marked `Cache-Control: private`, and sets the cookie if there is no
 * valid one, if half of its lifetime has passed, or if the session has changed. Other responses are not changed.
 * Refuses with 403, `{ error: 'Invalid CSRF token', code }`.
 *
 * @throws {TypeError} when created, without a secret, for a bad option, and for a secret below 32 bytes in production.
 * @example
 * createApp().use(csrf({ secret: env.SECRET })).get('/token', (ctx) => json({ token: ctx.state.csrfToken }))
 */
export const csrf = <Extra = unknown>(options: CsrfOptions<Extra>): Middleware<{ csrfToken: string }, {}, Extra> => {
  checkNames('csrf', options, NAMES)
  const { cookieName = '_csrf', headerName = 'x-csrf-token', fieldName = '_csrf', tokenLength = 32 } = options
  const { expirationTime = 3_600_000, getSessionId, ignore, now = Date.now } = options as CsrfOptions
  const secrets = secretsOf(options.secret, 'csrf')
  const { safeMethods = ['GET', 'HEAD', 'OPTIONS'], origins = [], cookie = {} } = options
  checkMethods(safeMethods, 'csrf: safeMethods')
  checkOption(Array.isArray(origins), 'csrf: origins', 'a list of origins', origins)
  checkRecord(cookie, 'csrf: cookie', 'an object of options')
  const { httpOnly = true, sameSite = 'lax', secure: secureOption, ...more } = cookie
  const attributesFor = (secure: boolean): string =>
    cookieAttributes(cookieName, { ...more, httpOnly, sameSite, secure }, 'csrf: cookie')
  const plainAttributes = attributesFor(secureOption ?? (/^__(host|secure)-/i.test(cookieName) || sameSite === 'none'))
  const secureAttributes = attributesFor(true)
  for (const origin of origins) checkOption(isOrigin(origin), 'csrf: origins', AN_ORIGIN, origin)
  const safe = new Set(safeMethods)
  const trusted = new Set(origins)
  checkOption(isToken(headerName), 'csrf: headerName', 'a field name', headerName)
  checkWhole(tokenLength, 'csrf: tokenLength', 'characters', 16)
  // Browsers drop a cookie of more than 4,096 bytes
  checkOption(tokenLength <= 1024, 'csrf: tokenLength', 'at most 1024 characters', tokenLength)
  checkWhole(expirationTime, 'csrf: expirationTime', 'milliseconds', 1)

  const idOf = async (ctx: Context): Promise<string> =>
    (getSessionId ? await getSessionId(ctx) : internalsOf(ctx).session?.id()) ?? ''

  const codeFor = (ctx: Context, sealed: string, stored: StoredToken, id: string): CsrfCode | undefined => {
    const presented = ctx.header(headerName) ?? fieldOf(ctx.state.body, fieldName)
    if (!sealed || !presented) return 'csrf_missing'
    const { token, expires } = stored
    if (!token || isOwnPage(ctx, trusted, id !== '') === false) return 'csrf_invalid'
    const plain = presented.length === 4 * token.length ? unmaskToken(presented) : presented
    if (!equal(plain, token) && !equal(presented, sealed)) return 'csrf_invalid'
    return expires > now() ? undefined : 'csrf_expired'
  }

  const middleware: Middleware<{ csrfToken: string }> = async function csrf(ctx, next) {
    const sessionId = await idOf(ctx)
    const sealed = readCookie(ctx.header('cookie'), cookieName) ?? ''
    const stored = await openToken(secrets, cookieName, sessionId, sealed)
    const remainingMs = stored.expires - now()
    let token = remainingMs > 0 ? stored.token : ''
    let isUsed = false
    const readToken = (): string => {
      isUsed = true
      internalsOf(ctx).isPrivate = true
      token ||= randomToken(tokenLength)
      return token
    }
    Object.defineProperty(ctx.state, 'csrfToken', { configurable: true, enumerable: true, get: readToken })

    /** Set the cookie if the page needs it. A response with a token is for one browser only. */
    const issue = async (): Promise<void> => {
      const fields = ['vary', 'Cookie', 'cache-control', 'private']
      if (remainingMs * 2 < expirationTime) {
        // A stored token is renewed, so that pages in other tabs keep working, but never for another session: an
        // attacker may have set it. A new token belongs to the session that the handler may have begun
        const owner = remainingMs > 0 ? sessionId : await idOf(ctx)
        const content = { token: readToken(), expires: Math.ceil(now() + expirationTime) }
        const value = await sealToken(secrets[0]!, cookieName, owner, content)
        const isSecure = secureOption === undefined && ctx.url.protocol === 'https:'
        const attributes = isSecure ? secureAttributes : plainAttributes
        fields.push('set-cookie', cookieLine(cookieName, value, attributes))
      }
      addEdit(ctx, fields)
    }

    const isBearer = /^bearer /i.test(ctx.header('authorization') ?? '') && !ctx.header('cookie')
    if (!safe.has(ctx.method) && !isBearer && !(await ignore?.(ctx))) {
      const code = codeFor(ctx, sealed, stored, sessionId)
      // Do not set a cookie here: another site could use it to replace the visitor's token
      if (code) return refuse(ctx, 403, 'Invalid CSRF token', { code })
      isUsed = true
    }
    addEdit(ctx, () => (isUsed && !isBearer ? issue() : undefined))
    return next()
  }
  return Object.assign(middleware, { describes: { statuses: [403], unsafe: true }, '~passes': true })
}

/** Whether a page of this application or of `trusted` caused the request; `undefined` if the request does not say. */
const isOwnPage = (ctx: Context, trusted: ReadonlySet<string>, hasSession: boolean): boolean | undefined => {
  const origin = ctx.header('origin')
  const site = ctx.header('sec-fetch-site')
  if (origin && trusted.has(origin)) return true
  if (site) return site === 'same-origin' || site === 'none'
  // Pages without a referrer and sandboxed frames send `null`. With a session, the token alone decides; without one,
  // the request is refused
  if (origin === 'null' && hasSession) return undefined
  const page = origin ?? ctx.header('referer')
  // The scheme is not compared: behind a proxy that terminates TLS, the application sees another one
  return page ? /^https?:\/\/([^/?#]+)/.exec(page)?.[1] === ctx.url.host : undefined
}

const fieldOf = (body: unknown, name: string): string | undefined => {
  const record = Object(body)
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  return typeof value === 'string' ? value : undefined
}
