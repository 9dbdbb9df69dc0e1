import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { report } from '#runtime/core'
import { loadVerifier } from '#runtime/jose'
import { refusal } from '../error/refusal.ts'
import { checkOption, checkWhole } from '../options/check.ts'
import { checkValue, isSchema } from '../schema/check-value.ts'
import type { Verifier } from './jwt-jose.ts'
import { type JwtKeyOptions, keysOf } from './jwt-keys.ts'

/** How tokens are checked: `algorithms`, and one of `secret`, `publicKey` and `jwks`. */
export interface JwtCheckOptions extends JwtKeyOptions {
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
  /** Checks the claims, and determines their type: any Standard Schema. @default none */
  readonly schema?: unknown
  /** Maximum length of a token, in characters. @default 8192 */
  readonly maxLength?: number
  /** Clock, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number
}

/** The names of {@link JwtCheckOptions}. */
export const CHECK_NAMES: string =
  'algorithms secret publicKey jwks jwksCooldownMs jwksMaxAgeMs jwksTimeoutMs issuer audience type:string ' +
  'clockTolerance maxAge required schema maxLength now:function'

/** Create a check of tokens: `undefined` for an invalid one, a 503 is thrown if the key set cannot be fetched. */
export const createJwtCheck = (
  feature: string,
  options: JwtCheckOptions,
): ((token: string) => Promise<{ readonly claims: JWTPayload; readonly value: unknown } | undefined>) => {
  const { schema, maxAge, clockTolerance = 0, maxLength = 8192, now = Date.now } = options
  const { issuer, audience, type, required = ['exp'] } = options
  // If the package is missing, this rejection ends the process, as a failed static import would
  const jose = loadVerifier(feature)
  const keys = keysOf(feature, options, jose)
  checkWhole(clockTolerance, `${feature}: clockTolerance`, 'seconds')
  if (maxAge !== undefined) checkWhole(maxAge, `${feature}: maxAge`, 'seconds', 1)
  checkWhole(maxLength, `${feature}: maxLength`, 'characters', 1)
  checkOption(schema === undefined || isSchema(schema), `${feature}: schema`, 'a schema', schema)
  checkOption(Array.isArray(required), `${feature}: required`, 'a list of claims', required)
  for (const [name, value] of Object.entries({ issuer, audience })) {
    const isValid = value?.length && [value].flat().every((item) => item && typeof item === 'string')
    checkOption(value === undefined || isValid, `${feature}: ${name}`, 'a non-empty string, or a list of them', value)
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
  return async (token) => {
    // A client may have sent something else
    if (typeof token !== 'string' || token.length > maxLength) return undefined
    const claims = await verifyToken(token, await jose, keys, { ...rules, currentDate: new Date(now()) })
    try {
      return claims && { claims, value: schema ? await checkValue(schema, claims) : claims }
    } catch {
      return undefined
    }
  }
}

/** Errors of the key set, not of the token. */
const UNAVAILABLE = /^ERR_(?:JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/

/** The claims of a token that was signed with one of the keys, which are tried in order. */
const verifyToken = async (
  token: string,
  jose: Verifier,
  keys: readonly JWTVerifyGetKey[],
  rules: JWTVerifyOptions,
): Promise<JWTPayload | undefined> => {
  for (const key of keys) {
    try {
      return (await jose.jwtVerify(token, key, rules)).payload
    } catch (error) {
      // Errors of Web Crypto have a number
      const code = `${(error as { code?: unknown }).code}`
      if (code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') {
        const several: JWTVerifyGetKey[] = []
        for await (const candidate of error as AsyncIterable<never>) several.push(() => candidate)
        return verifyToken(token, jose, several, rules)
      }
      // An error that is not from jose comes from the network, or from a key that cannot be imported
      if (code.startsWith('ERR_J') && !UNAVAILABLE.test(code)) continue
      report(error)
      throw refusal(503, 'Service Unavailable', { cause: error })
    }
  }
  return undefined
}
