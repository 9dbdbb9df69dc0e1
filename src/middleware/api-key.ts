import type { Context, Middleware } from '../context.ts'
import { equal } from '../internal/equal.ts'
import { assertFieldName } from '../internal/headers.ts'
import { need } from '../internal/need.ts'
import { type Verdict, verified } from '../internal/verified.ts'
import { json } from '../respond/json.ts'

/** Options of {@link apiKey}: `hashes` or `verify`. */
export interface ApiKeyOptions<User> {
  /** SHA-256 of each key, in hexadecimal, so that no key lies in a configuration: `printf %s "$KEY" | sha256sum`. */
  readonly hashes?: readonly string[]
  /** Tells whose key it is; nothing, or an error thrown, when it is nobody's. An `HttpError` passes as it is. */
  readonly verify?: (key: string, ctx: Context) => Verdict<User>
  /** Header that carries the key. @default 'x-api-key' */
  readonly header?: string
}

/**
 * Let only requests with a known key through.
 *
 * Reads one header; writes `ctx.state.user`: what `verify` gave, or `{ keyHash }`. Answers 401 `{ error: 'Unauthorized' }`
 * without a key and `{ error: 'Invalid API key' }` with a bad one.
 *
 * @throws {TypeError} when made, without hashes and `verify`, for a hash that is none, or a bad header name.
 * @example
 * app.use('/api/*', apiKey({ hashes: [env.PARTNER_KEY_SHA256] }))
 */
export const apiKey = <User = { readonly keyHash: string }>(
  options: ApiKeyOptions<User>,
): Middleware<{ user: User }> => {
  const { header = 'x-api-key', hashes = [] } = options
  assertFieldName(header)
  need(options.verify || hashes.length, 'hashes', options.hashes, 'a list of hashes, where there is no verify')
  for (const hash of hashes) need(/^[\da-f]{64}$/i.test(hash), 'hashes', hash, 'a SHA-256 in hexadecimal')
  const known = hashes.map((hash) => hash.toLowerCase())
  const challenge = { 'www-authenticate': `ApiKey header="${header}"` }

  /** Every hash is compared, so that the time tells nothing. */
  const byHash = async (key: string): Promise<User | false> => {
    const keyHash = await sha256(key)
    return known.map((hash) => equal(hash, keyHash)).includes(true) && ({ keyHash } as User)
  }
  const verify = options.verify ?? byHash

  return async function apiKey(ctx, next) {
    const key = ctx.header(header)
    if (!key) return json({ error: 'Unauthorized' }, 401, challenge)
    const user = await verified(() => verify(key, ctx))
    if (user === undefined) return json({ error: 'Invalid API key' }, 401, challenge)
    ctx.state.user = user
    return next()
  }
}

const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
