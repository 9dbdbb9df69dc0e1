import type { JWTPayload } from 'jose'
import { challengeOf, tokenIn } from '../internal/auth/credentials.ts'
import { CHECK_NAMES, createJwtCheck, type JwtCheckOptions } from '../internal/auth/jwt-check.ts'
import { readCookie } from '../internal/cookie/cookie-line.ts'
import { isToken } from '../internal/header/field-name.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { AnySchema } from '../internal/types/any-schema.ts'
import type { Context, Middleware } from '../internal/types/context.ts'
import { internalsOf } from '../kernel/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link jwt}: `algorithms`, and one of `secret`, `publicKey` and `jwks`. */
export interface JwtOptions<Claims = JWTPayload> extends JwtCheckOptions {
  /** Checks the claims, and determines the type of `ctx.state.jwt`: any Standard Schema. @default none */
  readonly schema?: AnySchema<Claims>
  /** Cookie that is read if there is no `Authorization`. Protect its routes against CSRF. @default none */
  readonly cookie?: string
  /** Name of the protected area, shown by clients. @default 'api' */
  readonly realm?: string
  /** Scheme of the header `Authorization` (RFC 9110 §11.1), in any case. @default 'Bearer' */
  readonly scheme?: string
  /** Accept requests without a token, with no `ctx.state.jwt`. A bad token is refused. @default false */
  readonly optional?: boolean
}

/** The state that {@link jwt} adds. */
export interface JwtState<Claims> {
  /** The claims, after the schema. */
  jwt: Claims
  /** The scopes of the token: `scope` (RFC 8693 §4.2), or `scp`. */
  scopes: readonly string[]
}

/**
 * Accept only requests with a valid JSON Web Token (RFC 7519, RFC 8725, with `jose`).
 *
 * Reads `Authorization`, or a cookie; writes `ctx.state.jwt` and `ctx.state.scopes`. Responds with 401 and the
 * challenge of RFC 6750 §3, or with 503 if the key set cannot be fetched. If `jose` is not installed, the process ends
 * with an error that says so.
 *
 * @throws {TypeError} when created, for a bad option: without algorithms, with `none`, or with a secret for `RS256`.
 * @example
 * app.use('/api/*', jwt({ algorithms: ['RS256'], jwks: 'https://id.example/jwks.json', audience: 'shop' }))
 */
export function jwt<Claims = JWTPayload>(
  options: JwtOptions<Claims> & { readonly optional: true },
): Middleware<Partial<JwtState<Claims>>>
export function jwt<Claims = JWTPayload>(options: JwtOptions<Claims>): Middleware<JwtState<Claims>>
export function jwt<Claims>(options: JwtOptions<Claims>): Middleware<JwtState<Claims>> {
  checkNames('jwt', options, `${CHECK_NAMES} cookie:string realm scheme optional:boolean`)
  const { cookie, realm = 'api', scheme = 'Bearer', optional, ...checks } = options
  const check = createJwtCheck('jwt', checks)
  checkOption(cookie === undefined || isToken(cookie), 'jwt: cookie', 'the name of a cookie', cookie)
  checkOption(isToken(scheme), 'jwt: scheme', 'the name of a scheme', scheme)
  const challenge = challengeOf('jwt', scheme, realm)
  const invalid = ['www-authenticate', `${challenge}, error="invalid_token"`]

  const middleware: Middleware<JwtState<Claims>> = async function jwt(ctx, next) {
    const token = tokenOf(ctx, scheme, cookie)
    if (token === undefined && optional) return next()
    if (!token) return refuse(ctx, 401, 'Unauthorized', undefined, ['www-authenticate', challenge])
    const checked = await check(token)
    if (!checked) return refuse(ctx, 401, 'Invalid token', { code: 'invalid_token' }, invalid)
    internalsOf(ctx).isPrivate = true
    ctx.state.jwt = checked.value as Claims
    ctx.state.scopes = scopesOf(checked.claims)
    return next()
  }
  const security = { bearerAuth: { type: 'http', scheme: scheme.toLowerCase(), bearerFormat: 'JWT' } }
  const statuses = options.jwks ? [401, 503] : [401]
  return Object.assign(middleware, {
    describes: { statuses, security, ...(optional && { alternatives: [security, {}] }) },
  })
}

/** The characters of a token (RFC 7515 §7.1). */
const JWT = /^[\w.-]+$/

/** `undefined` if the request has no token, `''` if its header is malformed. */
const tokenOf = (ctx: Context, scheme: string, cookie: string | undefined): string | undefined => {
  const header = ctx.header('authorization')
  if (header !== null) return JWT.exec(tokenIn(header, scheme) ?? '')?.[0] ?? ''
  return (cookie !== undefined && readCookie(ctx.header('cookie'), cookie)) || undefined
}

const scopesOf = ({ scope, scp }: JWTPayload): readonly string[] => {
  const claim = scope ?? scp
  const list = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return list.filter((item) => item && typeof item === 'string')
}
