import { type Verdict, verifiedUser } from '../internal/auth/credentials.ts'
import { equal } from '../internal/crypto/equal.ts'
import { sha256Text } from '../internal/crypto/sha256.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { CallbackContext, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link apiKey}: `hashes` or `verify`. */
export interface ApiKeyOptions<User, Extra = unknown> {
  /** SHA-256 of each key, in hexadecimal: `printf %s "$KEY" | sha256sum`. The configuration then has no keys. */
  readonly hashes?: readonly string[]
  /** Returns the user of a key. Returns nothing or throws if the key is not valid; an `HttpError` is passed on. */
  readonly verify?: (key: string, ctx: CallbackContext<Extra>) => Verdict<User>
  /** Header that carries the key. @default 'x-api-key' */
  readonly header?: string
}

/**
 * Accept only requests with a known key.
 *
 * Reads one header; writes `ctx.state.user`: the result of `verify`, or `{ keyHash }`. Responds with 401
 * `{ error: 'Unauthorized' }` without a key and `{ error: 'Invalid API key' }` with a bad one.
 *
 * @throws {TypeError} when created, without `hashes` and `verify`, and for a bad option.
 * @example
 * app.use('/api/*', apiKey({ hashes: [env.PARTNER_KEY_SHA256] }))
 */
export const apiKey = <User = { readonly keyHash: string }, Extra = unknown>(
  options: ApiKeyOptions<User, Extra>,
): Middleware<{ user: User }, {}, Extra> => {
  checkNames('apiKey', options, 'hashes verify:function header')
  const { header = 'x-api-key', hashes = [] } = options
  checkOption(isToken(header), 'apiKey: header', 'a field name', header)
  const hasHashes = Array.isArray(hashes) && (options.verify || hashes.length)
  checkOption(hasHashes, 'apiKey: hashes', 'a list of hashes, or verify', typeof options.hashes)
  // A value that is not a hash may be a key, so the message must not show it
  for (const hash of hashes)
    checkOption(/^[\da-f]{64}$/i.test(hash), 'apiKey: hashes', 'SHA-256 in hexadecimal', typeof hash)
  const allowedHashes = hashes.map((hash) => hash.toLowerCase())
  const challenge = ['www-authenticate', `ApiKey header="${header}"`]

  // Every hash is compared, so that the time reveals nothing. `User` is `{ keyHash }`, unless there is `verify`
  const byHash = async (key: string): Promise<User | false> => {
    const keyHash = await sha256Text(key)
    return allowedHashes.map((hash) => equal(hash, keyHash)).includes(true) && ({ keyHash } as User)
  }
  const verify = (options as ApiKeyOptions<User>).verify ?? byHash

  const middleware: Middleware<{ user: User }> = async function apiKey(ctx, next) {
    const key = ctx.header(header)
    if (!key) return refuse(ctx, 401, 'Unauthorized', undefined, challenge)
    const user = await verifiedUser(() => verify(key, ctx))
    if (user === undefined) return refuse(ctx, 401, 'Invalid API key', undefined, challenge)
    internalsOf(ctx).isPrivate = true
    ctx.state.user = user
    return next()
  }
  return Object.assign(middleware, {
    describes: { statuses: [401], security: { apiKey: { type: 'apiKey', in: 'header', name: header } } },
    '~passes': true,
  })
}
