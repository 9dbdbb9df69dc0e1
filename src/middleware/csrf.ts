import { type CookieOptions, cookieAttributes, cookieLine, readCookie } from '../internal/cookie/cookie-line.ts'
import { equal } from '../internal/crypto/equal.ts'
import { secretsOf } from '../internal/crypto/hmac.ts'
import { randomToken } from '../internal/crypto/token.ts'
import { maskToken, unmask } from '../internal/csrf/mask.ts'
import { isOwnPage } from '../internal/csrf/own-page.ts'
import { openToken, type StoredToken, sealToken } from '../internal/csrf/seal.ts'
import { isToken } from '../internal/header/field-name.ts'
import { AN_ORIGIN, isOrigin } from '../internal/header/origin.ts'
import { checkNames, checkOption, checkRecord, checkWhole } from '../internal/options/check.ts'
import type { Awaitable, CallbackContext, Context, Middleware } from '../internal/types/context.ts'
import { slotsOf } from '../kernel/context.ts'
import { onResponse } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

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

/** The reason why a request was refused. */
export type CsrfCode = 'csrf_missing' | 'csrf_invalid' | 'csrf_expired'

/** The cookie has the token and its signature, and browsers drop a cookie of more than 4,096 bytes. */
const MAX_TOKEN_LENGTH = 1024

/**
 * Refuse requests that another site caused in a browser, with a signed double-submit cookie that is bound to the
 * session.
 *
 * Writes `ctx.state.csrfToken`, which the client must send back in a header or a form field. A response for which the
 * token was read, and one to an accepted form, is marked `Cache-Control: private`. It sets the cookie if there is no
 * valid one, if half of its lifetime has passed, or if the session's id has changed. All other responses are not
 * changed. Refuses with 403, `{ error: 'Invalid CSRF token', code }`.
 *
 * @throws {TypeError} when created, without a secret, for a bad option, and for a secret below 32 bytes in production.
 * @example
 * createApp().use(csrf({ secret: env.SECRET })).get('/token', (ctx) => json({ token: ctx.state.csrfToken }))
 */
export const csrf = <Extra = unknown>(options: CsrfOptions<Extra>): Middleware<{ csrfToken: string }, {}, Extra> => {
  checkNames(
    'csrf',
    options,
    'secret cookieName headerName fieldName:string safeMethods tokenLength expirationTime cookie origins ' +
      'getSessionId:function ignore:function now:function',
  )
  const { cookieName = '_csrf', headerName = 'x-csrf-token', fieldName = '_csrf', tokenLength = 32 } = options
  const { expirationTime = 3_600_000, getSessionId, ignore, now = Date.now } = options as CsrfOptions
  const secrets = secretsOf(options.secret, 'csrf')
  const { safeMethods = ['GET', 'HEAD', 'OPTIONS'], origins: originOption = [] } = options
  const isValid = Array.isArray(safeMethods) && safeMethods.every(isToken)
  checkOption(isValid, 'csrf: safeMethods', 'a list of methods', safeMethods)
  checkOption(Array.isArray(originOption), 'csrf: origins', 'a list of origins', originOption)
  const safe = new Set(safeMethods)
  const origins = new Set(originOption)
  const { cookie = {} } = options
  checkRecord(cookie, 'csrf: cookie', 'an object of options')
  const { httpOnly = true, sameSite = 'lax', secure: secureOption, ...more } = cookie
  const secure = secureOption ?? (/^__(host|secure)-/i.test(cookieName) || sameSite === 'none')
  const [plainAttributes, secureAttributes] = [secure, true].map((on) =>
    cookieAttributes(cookieName, { ...more, httpOnly, sameSite, secure: on }, 'csrf: cookie'),
  ) as [string, string] // map() does not keep the length
  for (const origin of origins) checkOption(isOrigin(origin), 'csrf: origins', AN_ORIGIN, origin)
  checkOption(isToken(headerName), 'csrf: headerName', 'a field name', headerName)
  checkWhole(tokenLength, 'csrf: tokenLength', 'characters', 16)
  checkOption(
    tokenLength <= MAX_TOKEN_LENGTH,
    'csrf: tokenLength',
    `at most ${MAX_TOKEN_LENGTH} characters`,
    tokenLength,
  )
  checkWhole(expirationTime, 'csrf: expirationTime', 'milliseconds', 1)

  const idOf = async (ctx: Context): Promise<string> =>
    (getSessionId ? await getSessionId(ctx) : slotsOf(ctx).session?.id()) ?? ''

  const refusal = (
    ctx: Context,
    sealed: string | undefined,
    stored: StoredToken | undefined,
    bound: string,
  ): CsrfCode | undefined => {
    const presented = ctx.header(headerName) ?? fieldOf(ctx.state.body, fieldName)
    if (!sealed || !presented) return 'csrf_missing'
    if (!stored || isOwnPage(ctx, origins, bound !== '') === false) return 'csrf_invalid'
    const { token, expires } = stored
    const plain = presented.length === 4 * token.length ? unmask(presented) : presented
    if (!equal(plain, token) && !equal(presented, sealed)) return 'csrf_invalid'
    return expires > now() ? undefined : 'csrf_expired'
  }

  const middleware: Middleware<{ csrfToken: string }> = async function csrf(ctx, next) {
    const bound = await idOf(ctx)
    const sealed = readCookie(ctx.header('cookie'), cookieName)
    const storedToken = await openToken(secrets, cookieName, bound, sealed)
    const remainingMs = storedToken ? storedToken.expires - now() : 0
    let token = remainingMs > 0 ? storedToken!.token : ''
    let used = false
    const read = (): string => {
      used = true
      slotsOf(ctx).personal = true
      token ||= randomToken(tokenLength)
      return token
    }
    Object.defineProperty(ctx.state, 'csrfToken', { configurable: true, enumerable: true, get: read })

    /** Set the cookie if the page needs it. A response with a token is for one browser only. */
    const issue = async (): Promise<void> => {
      const fields = ['vary', 'Cookie', 'cache-control', 'private']
      if (remainingMs * 2 < expirationTime) {
        // A known token is renewed, so that pages open in other tabs keep working, but never carried over to another
        // session: it may have been planted. A new token, which was never sent, belongs to the session that the handler
        // may have begun.
        const owner = remainingMs > 0 ? bound : await idOf(ctx)
        const value = await sealToken(secrets[0]!, cookieName, owner, {
          token: read(),
          expires: Math.ceil(now() + expirationTime),
        })
        const attributes =
          secureOption === undefined && ctx.url.protocol === 'https:' ? secureAttributes : plainAttributes
        fields.push('set-cookie', cookieLine(cookieName, value, attributes))
      }
      onResponse(ctx, fields)
    }

    const bearer = /^bearer /i.test(ctx.header('authorization') ?? '') && !ctx.header('cookie')
    if (!safe.has(ctx.method) && !bearer && !(await ignore?.(ctx))) {
      const code = refusal(ctx, sealed, storedToken, bound)
      // Do not set a cookie here: another site could use it to replace the visitor's token
      if (code) return refuse(ctx, 403, 'Invalid CSRF token', { code })
      used = true
    }
    onResponse(ctx, () => (used && !bearer ? issue() : undefined))
    return next()
  }
  return Object.assign(middleware, {
    describes: { answers: [403], unsafe: true },
    '~passes': true,
  })
}

const fieldOf = (body: unknown, name: string): string | undefined => {
  const value =
    body && typeof body === 'object' && Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/**
 * The token for a page that is sent compressed: a different string each time, which `csrf()` accepts like the token
 * itself. If a page contains parts of the request, the length of the compressed response would reveal a constant secret
 * step by step (BREACH).
 *
 * @example
 * html(`<input type="hidden" name="_csrf" value="${maskCsrfToken(ctx.state.csrfToken)}">`)
 */
export const maskCsrfToken = (token: string): string => maskToken(token)
