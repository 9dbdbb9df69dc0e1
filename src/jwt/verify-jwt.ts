import type { JWTPayload } from 'jose'
import { CHECK_NAMES, createJwtCheck, type JwtCheckOptions } from '../internal/auth/jwt-check.ts'
import { checkNames } from '../internal/options/check.ts'
import type { AnySchema } from '../internal/types/any-schema.ts'

/** Options of {@link verifyJwt}: `algorithms`, and one of `secret`, `publicKey` and `jwks`. */
export interface VerifyJwtOptions<Claims = JWTPayload> extends JwtCheckOptions {
  /** Checks the claims, and determines their type: any Standard Schema. @default none */
  readonly schema?: AnySchema<Claims>
}

/**
 * A function that checks JSON Web Tokens (RFC 7519, RFC 8725) which do not come with `jwt` of `sluice/middleware/jwt`:
 * in a message of a WebSocket, in a link, as a refresh token. It takes the same options. Create it once: it keeps the
 * key set.
 *
 * It resolves to the claims, after the schema, or to `undefined` for a token that is not valid.
 *
 * @throws {TypeError} when created, for a bad option. @throws {Error} (rejects) with `status` 503 if the key set cannot
 * be fetched.
 * @example
 * const verify = verifyJwt({ algorithms: ['HS256'], secret: env.JWT_SECRET, audience: 'refresh' })
 * const claims = await verify(token)
 */
export const verifyJwt = <Claims = JWTPayload>(
  options: VerifyJwtOptions<Claims>,
): ((token: string) => Promise<Claims | undefined>) => {
  checkNames('verifyJwt', options, CHECK_NAMES)
  const check = createJwtCheck('verifyJwt', options)
  return async (token) => (await check(token))?.value as Claims | undefined
}
