import { challengeOf, tokenIn, type Verdict, verifiedUser } from '../internal/auth/credentials.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { CallbackContext, Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link bearerAuth}. */
export interface BearerAuthOptions<User, Extra = unknown> {
  /** Returns the user of a token; nothing or an error is a 401. An `HttpError` is passed on, such as 403 or 503. */
  readonly verify: (token: string, ctx: CallbackContext<Extra>) => Verdict<User>
  /** Name of the protected area, shown by clients. @default 'api' */
  readonly realm?: string
  /** Scheme of the header `Authorization` (RFC 9110 §11.1), in any case. @default 'Bearer' */
  readonly scheme?: string
  /** Accept requests without `Authorization`, with no `ctx.state.user`. A bad token is refused. @default false */
  readonly optional?: boolean
}

/**
 * Accept only requests with a valid token (RFC 6750).
 *
 * Reads `Authorization`; writes `ctx.state.user`. Responds with 401 `{ error: 'Unauthorized' }` without a token and
 * `{ error: 'Invalid token' }` with a bad one, both with `WWW-Authenticate`.
 *
 * @throws {TypeError} when created, without `verify` or with a realm that would break the header.
 * @example
 * app.use('/api/*', bearerAuth({ verify: (token) => users.byToken(token) }))
 */
export function bearerAuth<User, Extra = unknown>(
  options: BearerAuthOptions<User, Extra> & { readonly optional: true },
): Middleware<{ user?: User }, {}, Extra>
export function bearerAuth<User, Extra = unknown>(
  options: BearerAuthOptions<User, Extra>,
): Middleware<{ user: User }, {}, Extra>
export function bearerAuth<User>(options: BearerAuthOptions<User>): Middleware<{ user: User }> {
  checkNames('bearerAuth', options, 'verify realm scheme optional:boolean')
  const { verify, realm = 'api', scheme = 'Bearer', optional } = options
  checkOption(typeof verify === 'function', 'bearerAuth: verify', 'a function', verify)
  checkOption(isToken(scheme), 'bearerAuth: scheme', 'the name of a scheme', scheme)
  const challenge = challengeOf('bearerAuth', scheme, realm)
  const invalid = ['www-authenticate', `${challenge}, error="invalid_token"`]

  const middleware: Middleware<{ user: User }> = async function bearerAuth(ctx, next) {
    const authorization = ctx.header('authorization')
    if (authorization === null && optional) return next()
    const token = tokenIn(authorization ?? '', scheme)
    if (!token) return refuse(ctx, 401, 'Unauthorized', undefined, ['www-authenticate', challenge])
    const user = await verifiedUser(() => verify(token, ctx))
    if (user === undefined) return refuse(ctx, 401, 'Invalid token', undefined, invalid)
    ctx.state.user = user
    return next()
  }
  const security = { bearerAuth: { type: 'http', scheme: scheme.toLowerCase() } }
  return Object.assign(middleware, {
    describes: { statuses: [401], security, ...(optional && { alternatives: [security, {}] }) },
    '~passes': true,
  })
}
