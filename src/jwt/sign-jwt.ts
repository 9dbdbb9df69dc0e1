import type { CryptoKey, JWK } from 'jose'
import { loadSigner } from '#runtime/jose'
import type { Signer } from '../internal/auth/jwt-jose.ts'
import { secretsOf } from '../internal/crypto/hmac.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'

/** Options of {@link signJwt}: `secret`, or `privateKey` with `algorithm`. */
export interface SignJwtOptions {
  /** Shared secret for `HS…`, at least 32 bytes. */
  readonly secret?: string
  /** Private key: PEM (PKCS 8), a JWK, or a `CryptoKey`. */
  readonly privateKey?: string | JWK | CryptoKey
  /** Algorithm of the signature. @default 'HS256' with `secret`; needed with `privateKey` */
  readonly algorithm?: string
  /**
   * How long the token is valid, in seconds. It has no default, because a token that never expires cannot be revoked.
   */
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

const NAMES =
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
  checkNames('signJwt', options, NAMES)
  const { secret, privateKey, expiresIn, issuer, audience, subject, keyId, type = 'JWT', now = Date.now } = options
  const { algorithm = secret === undefined ? '' : 'HS256' } = options
  const hasOneKey = (secret === undefined) !== (privateKey === undefined)
  checkOption(hasOneKey, 'signJwt: secret', 'exactly one of secret and privateKey', typeof secret)
  const isValid = secret === undefined ? /^(?!HS|none)./i.test(algorithm) : /^HS(?:256|384|512)$/.test(algorithm)
  checkOption(
    isValid,
    'signJwt: algorithm',
    secret === undefined ? 'such as RS256' : 'HS256, HS384 or HS512',
    algorithm,
  )
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
  return token.sign(
    secret === undefined
      ? await privateOf(privateKey!, algorithm, jose)
      : new TextEncoder().encode(secretsOf(secret, 'signJwt')[0]),
  )
}

const privateOf = async (
  key: string | JWK | CryptoKey,
  algorithm: string,
  { importJWK, importPKCS8 }: Signer,
): Promise<CryptoKey | Uint8Array> => {
  if (typeof key === 'string') return importPKCS8(key, algorithm)
  return 'kty' in key ? importJWK(key as JWK, algorithm) : (key as CryptoKey)
}
