import type { Context, Middleware } from '../context.ts'
import { need } from '../internal/need.ts'
import { realmOf } from '../internal/realm.ts'
import { type Verdict, verified } from '../internal/verified.ts'
import { json } from '../respond/json.ts'

/** Options of {@link bearerAuth}. */
export interface BearerAuthOptions<User> {
  /**
   * Tells whose token it is; nothing, or an error thrown, when it is nobody's. An `HttpError` passes as it is: throw 403
   * for a token that may not do this, 503 when there is no telling.
   */
  readonly verify: (token: string, ctx: Context) => Verdict<User>
  /** Name of what is protected, shown by clients. @default 'api' */
  readonly realm?: string
}

/** The token, and nothing else in the header (RFC 6750 §2.1). */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i

/**
 * Let only requests with a valid token through (RFC 6750).
 *
 * Reads `Authorization`; writes `ctx.state.user`. Answers 401 `{ error: 'Unauthorized' }` without a token and
 * `{ error: 'Invalid token' }` with a bad one, both with `WWW-Authenticate`.
 *
 * @throws {TypeError} when made, without `verify` or with a realm that would break the header.
 * @example
 * app.use('/api/*', bearerAuth({ verify: (token) => users.byToken(token) }))
 */
export const bearerAuth = <User>(options: BearerAuthOptions<User>): Middleware<{ user: User }> => {
  const { verify, realm = 'api' } = options
  need(typeof verify === 'function', 'verify', verify, 'a function')
  const challenge = realmOf('Bearer', realm)

  return async function bearerAuth(ctx, next) {
    const token = BEARER.exec(ctx.header('authorization') ?? '')?.[1]
    if (!token) return json({ error: 'Unauthorized' }, 401, { 'www-authenticate': challenge })
    const user = await verified(() => verify(token, ctx))
    if (user === undefined) {
      return json({ error: 'Invalid token' }, 401, { 'www-authenticate': `${challenge}, error="invalid_token"` })
    }
    ctx.state.user = user
    return next()
  }
}
