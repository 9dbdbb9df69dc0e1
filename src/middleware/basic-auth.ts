import type { Context, Middleware } from '../context.ts'
import { equal } from '../internal/equal.ts'
import { need } from '../internal/need.ts'
import { realmOf } from '../internal/realm.ts'
import { type Verdict, verified } from '../internal/verified.ts'
import { json } from '../respond/json.ts'

/** Options of {@link basicAuth}: `users` or `verify`. */
export interface BasicAuthOptions<User> {
  /** Passwords by name. For more than a few users store hashes and use `verify`. */
  readonly users?: Readonly<Record<string, string>>
  /** Tells who it is; nothing, or an error thrown, when name and password are nobody's. An `HttpError` passes as it is. */
  readonly verify?: (name: string, password: string, ctx: Context) => Verdict<User>
  /** Name of what is protected, shown by browsers. @default 'restricted' */
  readonly realm?: string
}

const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i

/**
 * Let only requests with a name and a password through (RFC 7617, UTF-8). Over HTTPS only: the password is sent with
 * every request.
 *
 * Reads `Authorization`; writes `ctx.state.user`: what `verify` gave, or `{ name }`. Answers 401 `{ error: 'Unauthorized' }`.
 *
 * @throws {TypeError} when made, without users and `verify`, for a name with a colon, or for a realm that would break the header.
 * @example
 * app.use('/admin/*', basicAuth({ users: { ada: env.ADA_PASSWORD } }))
 */
export const basicAuth = <User = { readonly name: string }>(
  options: BasicAuthOptions<User>,
): Middleware<{ user: User }> => {
  const { users = {}, realm = 'restricted' } = options
  const known = Object.entries(users)
  need(options.verify || known.length, 'users', options.users, 'a record of passwords, where there is no verify')
  for (const [name, password] of known) {
    need(name && !name.includes(':'), 'users', name, 'a name without a colon')
    need(password && typeof password === 'string', `users.${name}`, typeof password, 'a password')
  }
  const challenge = { 'www-authenticate': `${realmOf('Basic', realm)}, charset="UTF-8"` }

  /** Every user is compared, so that the time tells nothing. */
  const isKnown = (name: string, password: string): boolean =>
    known.map((user) => [equal(user[0], name), equal(user[1], password)].every(Boolean)).includes(true)
  const verify =
    options.verify ?? ((name: string, password: string): Verdict<User> => isKnown(name, password) && ({ name } as User))

  return async function basicAuth(ctx, next) {
    const [, name, password] = credentialsOf(ctx.header('authorization')) ?? []
    const user = name === undefined ? undefined : await verified(() => verify(name, password!, ctx))
    if (user === undefined) return json({ error: 'Unauthorized' }, 401, challenge)
    ctx.state.user = user
    return next()
  }
}

/** Name and password; the name ends at the first colon. */
const credentialsOf = (header: string | null): RegExpExecArray | null => {
  const coded = BASIC.exec(header ?? '')?.[1]
  if (!coded) return null
  try {
    const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0))
    return /^([^:]*):(.*)$/s.exec(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}
