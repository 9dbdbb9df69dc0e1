import { challengeOf, type Verdict, verifiedUser } from '../internal/auth/credentials.ts'
import { equal } from '../internal/crypto/equal.ts'
import { checkNames, checkOption, checkRecord } from '../internal/options/check.ts'
import type { CallbackContext, Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link basicAuth}: `users` or `verify`. */
export interface BasicAuthOptions<User, Extra = unknown> {
  /** Passwords by name. For more than a few users store hashes and use `verify`. */
  readonly users?: Readonly<Record<string, string>>
  /** Returns the user. Returns nothing or throws if name and password are wrong; an `HttpError` is passed on. */
  readonly verify?: (name: string, password: string, ctx: CallbackContext<Extra>) => Verdict<User>
  /** Name of the protected area, shown by browsers. @default 'restricted' */
  readonly realm?: string
}

const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i

/**
 * Accept only requests with a valid name and password (RFC 7617, UTF-8). Use HTTPS: every request has the password.
 *
 * Reads `Authorization`; writes `ctx.state.user`: the result of `verify`, or `{ name }`. Responds with 401
 * `{ error: 'Unauthorized' }`.
 *
 * @throws {TypeError} when created, without `users` and `verify`, and for a bad option, such as a name with a colon.
 * @example
 * app.use('/admin/*', basicAuth({ users: { ada: env.ADA_PASSWORD } }))
 */
export const basicAuth = <User = { readonly name: string }, Extra = unknown>(
  options: BasicAuthOptions<User, Extra>,
): Middleware<{ user: User }, {}, Extra> => {
  checkNames('basicAuth', options, 'users verify:function realm')
  const { users = {}, realm = 'restricted' } = options
  // A map would be a record without names; no message may show a password
  checkRecord(users, 'basicAuth: users', 'a record of passwords')
  const entries = Object.entries(users)
  const isGuarded = options.verify || entries.length
  checkOption(isGuarded, 'basicAuth: users', 'a record of passwords, or verify', typeof options.users)
  for (const [name, password] of entries) {
    checkOption(name && !name.includes(':'), 'basicAuth: users', 'a name without a colon', name)
    const isPassword = password && typeof password === 'string'
    checkOption(isPassword, `basicAuth: users: ${name}`, 'a password that is not empty', typeof password)
  }
  const challenge = ['www-authenticate', `${challengeOf('basicAuth', 'Basic', realm)}, charset="UTF-8"`]

  // Every user is compared, so that the time reveals nothing. `User` is `{ name }`, unless there is `verify`
  const byName = (name: string, password: string): Verdict<User> =>
    entries.map((user) => [equal(user[0], name), equal(user[1], password)].every(Boolean)).includes(true) &&
    ({ name } as User)
  const verify = (options as BasicAuthOptions<User>).verify ?? byName

  const middleware: Middleware<{ user: User }> = async function basicAuth(ctx, next) {
    const [, name, password] = credentialsOf(ctx.header('authorization')) ?? []
    const user = name === undefined ? undefined : await verifiedUser(() => verify(name, password!, ctx))
    if (user === undefined) return refuse(ctx, 401, 'Unauthorized', undefined, challenge)
    ctx.state.user = user
    return next()
  }
  return Object.assign(middleware, {
    describes: { statuses: [401], security: { basicAuth: { type: 'http', scheme: 'basic' } } },
    '~passes': true,
  })
}

/** Name and password; the name ends at the first colon. */
const credentialsOf = (header: string | null): RegExpExecArray | null => {
  const [, coded = ''] = BASIC.exec(header ?? '') ?? []
  try {
    const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0))
    return /^([^:]*):(.*)/s.exec(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}
