import type { Context, Middleware } from '../context.ts'
import { realmOf } from '../internal/auth/realm.ts'
import { type Verdict, verified } from '../internal/auth/verified.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link bearerAuth}. */
export interface BearerAuthOptions<User> {
  /**
   * Returns the user of a token; returns nothing or throws if the token is not valid. An `HttpError` is passed on:
   * throw 403 for a token without the right to do this, 503 if the check itself failed.
   */
  readonly verify: (token: string, ctx: Context) => Verdict<User>
  /** Name of the protected area, shown by clients. @default 'api' */
  readonly realm?: string
}

/** The token, and nothing else in the header (RFC 6750 §2.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

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
export const bearerAuth = <User>(options: BearerAuthOptions<User>): Middleware<{ user: User }> => {
  checkNames('bearerAuth', options, 'verify realm')
  const { verify, realm = 'api' } = options
  checkOption(typeof verify === 'function', 'bearerAuth: verify', 'a function', verify)
  const challenge = realmOf('bearerAuth', 'Bearer', realm)

  const middleware: Middleware<{ user: User }> = async function bearerAuth(ctx, next) {
    const token = BEARER.exec(ctx.header('authorization') ?? '')?.[1]
    if (!token) return refuse(ctx, 401, 'Unauthorized', undefined, ['www-authenticate', challenge])
    const user = await verified(() => verify(token, ctx))
    if (user === undefined) {
      return refuse(ctx, 401, 'Invalid token', undefined, ['www-authenticate', `${challenge}, error="invalid_token"`])
    }
    ctx.state.user = user
    return next()
  }
  return Object.assign(middleware, {
    describes: { answers: [401], security: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    passes: true,
  })
}
