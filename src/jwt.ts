import type { CryptoKey, JWK, JWTPayload } from 'jose'
import { loadSigner } from '#runtime/jose'
import { CHECK_NAMES, createJwtCheck, type JwtCheckOptions } from './internal/auth/jwt-check.ts'
import type { Signer } from './internal/auth/jwt-jose.ts'
import { toBytes } from './internal/crypto/encoding.ts'
import { secretsOf } from './internal/crypto/hmac.ts'
import { checkNames, checkOption, checkWhole } from './internal/options/check.ts'
import type { AnySchema } from './internal/types/any-schema.ts'

/** Options of {@link signJwt}: `secret`, or `privateKey` with `algorithm`. */
export interface SignJwtOptions {
  /** Shared secret for `HS…`, at least 32 bytes. */
  readonly secret?: string
  /** Private key: PEM (PKCS 8), a JWK, or a `CryptoKey`. */
  readonly privateKey?: string | JWK | CryptoKey
  /** Algorithm of the signature. @default 'HS256' with `secret`; needed with `privateKey` */
  readonly algorithm?: string
  /** How long the token is valid, in seconds. No default: a token that never expires cannot be revoked. */
  readonly expiresIn: number
  /** Writes `iss`. */
  readonly issuer?: string
  /** Writes `aud`. */
  readonly audience?: string | readonly string[]
  /** Writes `sub`. */
  readonly subject?: string
  /** Writes `kid` into the header, so that a key set can be rotated. */
  readonly keyId?: string
  /** Type of the token in its header. @default 'JWT' */
  readonly type?: string
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

const SIGN_NAMES =
  'secret:string privateKey algorithm:string expiresIn issuer:string audience subject:string keyId:string type:string now:function'

/**
 * Sign claims as a JSON Web Token (RFC 7519) that `jwt` of `sluice/middleware/jwt` accepts. Writes `iat` and `exp`.
 *
 * @throws {TypeError} for a bad option, such as a secret together with `RS256`. @throws {Error} if `jose` is not
 * installed.
 * @example
 * const token = await signJwt({ scope: 'orders:read' }, { secret: env.JWT_SECRET, subject: user.id, expiresIn: 900 })
 */
export const signJwt = async (claims: Readonly<Record<string, unknown>>, options: SignJwtOptions): Promise<string> => {
  checkNames('signJwt', options, SIGN_NAMES)
  const { secret, privateKey, expiresIn, issuer, audience, subject, keyId, type = 'JWT', now = Date.now } = options
  const { algorithm = secret === undefined ? '' : 'HS256' } = options
  const hasOneKey = (secret === undefined) !== (privateKey === undefined)
  checkOption(hasOneKey, 'signJwt: secret', 'exactly one of secret and privateKey', typeof secret)
  const isValid = secret === undefined ? /^(?!HS|none)./i.test(algorithm) : /^HS(?:256|384|512)$/.test(algorithm)
  const expected = secret === undefined ? 'such as RS256' : 'HS256, HS384 or HS512'
  checkOption(isValid, 'signJwt: algorithm', expected, algorithm)
  checkWhole(expiresIn, 'signJwt: expiresIn', 'seconds', 1)
  const jose = await loadSigner('signJwt')
  const seconds = Math.floor(now() / 1000)
  const token = new jose.SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, typ: type, ...(keyId !== undefined && { kid: keyId }) })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + expiresIn)
  if (issuer !== undefined) token.setIssuer(issuer)
  if (audience !== undefined) token.setAudience([audience].flat())
  if (subject !== undefined) token.setSubject(subject)
  if (secret !== undefined) return token.sign(toBytes(secretsOf(secret, 'signJwt')[0]!))
  return token.sign(await importPrivate(privateKey!, algorithm, jose))
}

const importPrivate = async (
  key: string | JWK | CryptoKey,
  algorithm: string,
  { importJWK, importPKCS8 }: Signer,
): Promise<CryptoKey | Uint8Array> => {
  if (typeof key === 'string') return importPKCS8(key, algorithm)
  return 'kty' in key ? importJWK(key as JWK, algorithm) : (key as CryptoKey)
}

/** Options of {@link verifyJwt}: `algorithms`, and one of `secret`, `publicKey` and `jwks`. */
export interface VerifyJwtOptions<Claims = JWTPayload> extends JwtCheckOptions {
  /** Checks the claims, and determines their type: any Standard Schema. @default none */
  readonly schema?: AnySchema<Claims>
}

/**
 * Create a function that checks JSON Web Tokens (RFC 7519, RFC 8725) which `jwt` of `sluice/middleware/jwt` does not
 * read: in a message of a WebSocket, in a link, a refresh token. The options are the same. Create it once: it keeps the
 * key set. It resolves to the claims, after the schema, or to `undefined` for a token that is not valid.
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
