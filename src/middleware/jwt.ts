import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { loadVerifier } from '#runtime/jose'
import type { AnySchema } from '../any-schema.ts'
import type { Awaitable, Context, Middleware } from '../context.ts'
import type { Verifier } from '../internal/auth/jwt-jose.ts'
import { type JwtKeyOptions, keysOf } from '../internal/auth/jwt-keys.ts'
import { realmOf } from '../internal/auth/realm.ts'
import { readCookie } from '../internal/cookie/cookie-line.ts'
import { refusal } from '../internal/error/answer.ts'
import { report } from '../internal/error/report.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options.ts'
import { checkValue, isSchema } from '../internal/schema/check-value.ts'
import { markPersonal } from '../internal/session/session-link.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link jwt}: `algorithms`, and one of `secret`, `publicKey` and `jwks`. */
export interface JwtOptions<Claims = JWTPayload> extends JwtKeyOptions {
  /** Accepted issuers: `iss` must be one of these. @default not checked */
  readonly issuer?: string | readonly string[]
  /** Accepted audiences: `aud` must contain one of these. @default not checked */
  readonly audience?: string | readonly string[]
  /** Type that the header of the token must name, such as `at+jwt` (RFC 9068). @default not checked */
  readonly type?: string
  /** Allowed clock difference, in seconds. @default 0 */
  readonly clockTolerance?: number
  /** Maximum age of a token by its `iat`, in seconds. @default not checked */
  readonly maxAge?: number
  /** Required claims. @default ['exp'], because a token without it never expires */
  readonly required?: readonly string[]
  /** Checks the claims and gives `ctx.state.jwt` its type: any Standard Schema. @default none */
  readonly schema?: AnySchema<Claims>
  /** Cookie that is read if there is no `Authorization`. Protect its routes against CSRF. @default none */
  readonly cookie?: string
  /** Maximum length of a token, in characters. @default 8192 */
  readonly maxLength?: number
  /** Name of the protected area, shown by clients. @default 'api' */
  readonly realm?: string
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** What {@link jwt} writes to `ctx.state`. */
export interface JwtState<Claims> {
  /** The claims, after the schema. */
  jwt: Claims
  /** The scopes of the token: `scope` (RFC 8693 §4.2), or `scp`. */
  scopes: readonly string[]
}

const NAMES =
  'algorithms secret publicKey jwks jwksCooldownMs jwksMaxAgeMs jwksTimeoutMs issuer audience type:string ' +
  'clockTolerance maxAge required schema cookie:string maxLength realm now:function'

/** The scheme in any case, and one token (RFC 6750 §2.1). */
const BEARER = /^Bearer +([\w.-]+) *$/i

/**
 * Accept only requests with a valid JSON Web Token (RFC 7519, RFC 8725, with `jose`).
 *
 * Reads `Authorization`, or a cookie; writes `ctx.state.jwt` and `ctx.state.scopes`. Responds with 401 and the
 * challenge of RFC 6750 §3, or with 503 if the key set cannot be fetched.
 *
 * On Node, Bun and Deno, `jose` is loaded when the middleware is created. If it is not installed, the process ends with
 * an error that says so.
 * @throws {TypeError} when created, for a bad option: without algorithms, with `none`, or with a secret for `RS256`.
 * @example
 * app.use('/api/*', jwt({ algorithms: ['RS256'], jwks: 'https://id.example/jwks.json', audience: 'shop' }))
 */
export const jwt = <Claims = JWTPayload>(options: JwtOptions<Claims>): Middleware<JwtState<Claims>> => {
  checkNames('jwt', options, NAMES)
  const { cookie, schema, maxAge, clockTolerance = 0, maxLength = 8192, realm = 'api', now = Date.now } = options
  const { issuer, audience, type, required = ['exp'] } = options
  // Without the package, this rejection ends the process at once, as a failed static import would
  const jose = loadVerifier('jwt')
  const trusted = { jose, keys: keysOf('jwt', options, jose) }
  checkWhole(clockTolerance, 'jwt: clockTolerance', 'seconds')
  if (maxAge !== undefined) checkWhole(maxAge, 'jwt: maxAge', 'seconds', 1)
  checkWhole(maxLength, 'jwt: maxLength', 'characters', 1)
  checkOption(cookie === undefined || isToken(cookie), 'jwt: cookie', 'the name of a cookie', cookie)
  checkOption(schema === undefined || isSchema(schema), 'jwt: schema', 'a schema', schema)
  checkOption(Array.isArray(required), 'jwt: required', 'a list of claims', required)
  for (const [name, value] of Object.entries({ issuer, audience })) {
    const fine = value === undefined || (value?.length && [value].flat().every((one) => one && typeof one === 'string'))
    checkOption(fine, `jwt: ${name}`, 'a text that is not empty, or a list of such texts', value)
  }
  const rules: JWTVerifyOptions = {
    algorithms: [...options.algorithms],
    requiredClaims: [...required],
    clockTolerance,
    ...(issuer !== undefined && { issuer: [issuer].flat() }),
    ...(audience !== undefined && { audience: [audience].flat() }),
    ...(type !== undefined && { typ: type }),
    ...(maxAge !== undefined && { maxTokenAge: maxAge }),
  }
  const challenge = realmOf('jwt', 'Bearer', realm)
  const invalid = ['www-authenticate', `${challenge}, error="invalid_token"`]

  const middleware: Middleware<JwtState<Claims>> = async function jwt(ctx, next) {
    const token = tokenOf(ctx, cookie)
    if (!token) return refuse(ctx, 401, 'Unauthorized', undefined, ['www-authenticate', challenge])
    const claims =
      token.length <= maxLength && (await verified(token, trusted, { ...rules, currentDate: new Date(now()) }))
    const typed = claims && (await fitting(schema, claims))
    if (!claims || !typed) return refuse(ctx, 401, 'Invalid token', { code: 'invalid_token' }, invalid)
    markPersonal(ctx)
    ctx.state.jwt = typed.value as Claims
    ctx.state.scopes = scopesOf(claims)
    return next()
  }
  return Object.assign(middleware, {
    describes: {
      answers: options.jwks ? [401, 503] : [401],
      security: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  })
}

const tokenOf = (ctx: Context, cookie: string | undefined): string | undefined => {
  const header = ctx.header('authorization')
  if (header !== null) return BEARER.exec(header)?.[1]
  return cookie === undefined ? undefined : readCookie(ctx.header('cookie'), cookie)
}

/** Errors of the key set, not of the token. */
const UNAVAILABLE = /^ERR_(?:JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/

const UNREACHABLE = 'Service Unavailable'

/** How tokens are checked: `keys` are tried in order. */
interface Trusted {
  readonly jose: Awaitable<Verifier>
  readonly keys: readonly JWTVerifyGetKey[]
}

/** The claims of a token that was signed with one of the keys. */
const verified = async (
  token: string,
  { jose, keys }: Trusted,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | undefined> => {
  const { jwtVerify } = await jose
  for (const key of keys) {
    try {
      return (await jwtVerify(token, key, rules)).payload
    } catch (error) {
      // A number on errors of Web Crypto
      const code = `${(error as { code?: unknown }).code}`
      if (code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') {
        const several: JWTVerifyGetKey[] = []
        for await (const one of error as AsyncIterable<never>) several.push(() => one)
        return verified(token, { jose, keys: several }, rules)
      }
      // An error that is not from jose comes from the network, or from a key that cannot be imported
      if (code.startsWith('ERR_J') && !UNAVAILABLE.test(code)) continue
      report(error)
      throw refusal(503, UNREACHABLE, undefined, new Error(UNREACHABLE, { cause: error }))
    }
  }
  return undefined
}

/** The output of the schema for the claims; `undefined` if they are not valid. */
const fitting = async (schema: AnySchema | undefined, claims: JWTPayload): Promise<{ value: unknown } | undefined> => {
  try {
    return { value: schema ? await checkValue(schema, claims) : claims }
  } catch {
    return undefined
  }
}

const scopesOf = ({ scope, scp }: JWTPayload): readonly string[] => {
  const given = scope ?? scp
  const list = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : []
  return list.filter((one) => one && typeof one === 'string')
}
