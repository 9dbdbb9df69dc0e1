import type { Awaitable, Context, Middleware } from '../context.ts'
import { type CookieOptions, cookieAttributes, cookieLine, readCookie } from '../internal/cookie.ts'
import { type Held, openToken, sealToken } from '../internal/csrf-seal.ts'
import { equal } from '../internal/equal.ts'
import { secretsOf } from '../internal/hmac.ts'
import { unmask } from '../internal/mask.ts'
import { need } from '../internal/need.ts'
import { isOwnPage } from '../internal/own-page.ts'
import { sessionOf } from '../internal/session-link.ts'
import { randomToken } from '../internal/token.ts'
import { json } from '../respond/json.ts'

/** Attributes of the token's cookie. */
export interface CsrfCookieOptions extends Omit<CookieOptions, 'expires' | 'maxAge' | 'secure'> {
  /** Scripts cannot read it: they get the token from the page or a route. @default true */
  readonly httpOnly?: boolean
  /** @default 'lax' */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** Sent over HTTPS only. @default whether the request came over HTTPS; always where the name's prefix needs it */
  readonly secure?: boolean
}

/** Options of {@link csrf}. */
export interface CsrfOptions {
  /** Signs the token. Of several the first signs, and all are accepted. */
  readonly secret: string | readonly string[]
  /** Name of the cookie; `__Host-csrf` is the safest there is. @default '_csrf' */
  readonly cookieName?: string
  /** Header in which a client presents the token. @default 'x-csrf-token' */
  readonly headerName?: string
  /** Field of a form in which a client presents the token, where a body parser has run before. @default '_csrf' */
  readonly fieldName?: string
  /** Methods that change nothing and need no token. @default ['GET', 'HEAD', 'OPTIONS'] */
  readonly safeMethods?: readonly string[]
  /** Length of a token in characters of six bits, from 16. @default 32 */
  readonly tokenLength?: number
  /** How long a token is accepted, in milliseconds. @default 3600000 */
  readonly expirationTime?: number
  /** Attributes of the cookie. */
  readonly cookie?: CsrfCookieOptions
  /** Other origins whose pages may make requests: `https://admin.example.com`. @default [] */
  readonly origins?: readonly string[]
  /** Whom a token belongs to. @default the id of `session()`, if that ran before */
  readonly getSessionId?: (ctx: Context) => Awaitable<string | undefined>
  /** Requests that need no token. Those with `Authorization: Bearer` and without cookies never do. */
  readonly ignore?: (ctx: Context) => boolean
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** Why a request was refused. */
export type CsrfCode = 'csrf_missing' | 'csrf_invalid' | 'csrf_expired'

/**
 * Refuse requests that another site made a browser send: signed double submit, bound to the session, stateless.
 *
 * Writes `ctx.state.csrfToken`, to be sent back in a header or a form field. Sets the cookie when there is no valid
 * one, when half of its life has passed, and when the session's id has changed. Refuses with 403, `{ error: 'Invalid
 * CSRF token', code }`.
 *
 * @throws {TypeError} when made, without secret or with bad options.
 * @example
 * createApp().use(csrf({ secret: env.SECRET })).get('/token', (ctx) => json({ token: ctx.state.csrfToken }))
 */
export const csrf = (options: CsrfOptions): Middleware<{ csrfToken: string }> => {
  const { cookieName = '_csrf', headerName = 'x-csrf-token', fieldName = '_csrf', tokenLength = 32 } = options
  const { expirationTime = 3_600_000, getSessionId, ignore, now = Date.now } = options
  const secrets = secretsOf(options.secret)
  const safe = new Set(options.safeMethods ?? ['GET', 'HEAD', 'OPTIONS'])
  const origins = new Set(options.origins)
  const cookie = { httpOnly: true, sameSite: 'lax', ...options.cookie } as const
  const { secure = /^__(host|secure)-/i.test(cookieName) || cookie.sameSite === 'none' } = cookie
  const [open, closed] = [secure, true].map((on) => cookieAttributes(cookieName, { ...cookie, secure: on })) as [
    string,
    string,
  ]
  for (const origin of origins) need(/^[a-z][a-z\d+.-]*:\/\/[^/]+$/.test(origin), 'origins', origin, 'an origin')
  need(Number.isInteger(tokenLength) && tokenLength >= 16, 'tokenLength', tokenLength, 'a whole number from 16')
  need(expirationTime > 0, 'expirationTime', expirationTime, 'a number of milliseconds')

  const idOf = async (ctx: Context): Promise<string> =>
    (getSessionId ? await getSessionId(ctx) : sessionOf(ctx)?.id()) ?? ''

  const issue = async (ctx: Context, token: string, bound: string): Promise<void> => {
    const sealed = await sealToken(secrets[0]!, bound, { token, expires: now() + expirationTime })
    const attributes = cookie.secure === undefined && ctx.url.protocol === 'https:' ? closed : open
    // a page with a token in it belongs to one browser
    ctx.onResponse([
      'set-cookie',
      cookieLine(cookieName, sealed, attributes),
      'vary',
      'Cookie',
      'cache-control',
      'private',
    ])
  }
  const refusal = (
    ctx: Context,
    sealed: string | undefined,
    held: Held | undefined,
    bound: string,
  ): CsrfCode | undefined => {
    const presented = ctx.header(headerName) ?? fieldOf(ctx.state.body, fieldName)
    if (!sealed || !presented) return 'csrf_missing'
    if (!held || isOwnPage(ctx, origins, bound !== '') === false) return 'csrf_invalid'
    const { token, expires } = held
    const plain = presented.length === 2 * token.length ? unmask(presented) : presented
    if (!equal(plain, token) && !equal(presented, sealed)) return 'csrf_invalid'
    return expires > now() ? undefined : 'csrf_expired'
  }

  return async function csrf(ctx, next) {
    const bound = await idOf(ctx)
    const sealed = readCookie(ctx.header('cookie'), cookieName)
    const held = await openToken(secrets, bound, sealed)
    const left = held ? held.expires - now() : 0
    const token = left > 0 ? held!.token : randomToken(tokenLength)
    ctx.state.csrfToken = token
    const bearer = /^bearer /i.test(ctx.header('authorization') ?? '') && !ctx.header('cookie')
    if (!safe.has(ctx.method) && !bearer && !ignore?.(ctx)) {
      const code = refusal(ctx, sealed, held, bound)
      // no cookie here: another site could replace the visitor's token with it
      if (code) return json({ error: 'Invalid CSRF token', code }, 403)
    }
    if (left * 2 < expirationTime && !bearer) {
      // A known token is renewed, so that pages open in other tabs keep working, but never carried over to another
      // session: it may have been planted. A new one, which nobody has seen, belongs to the session that the handler
      // may have begun.
      ctx.onResponse(async () => issue(ctx, token, left > 0 ? bound : await idOf(ctx)))
    }
    return next()
  }
}

const fieldOf = (body: unknown, name: string): string | undefined => {
  const value =
    body && typeof body === 'object' && Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : undefined
}
