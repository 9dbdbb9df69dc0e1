import type { CryptoKey, FetchImplementation, JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import { readStream } from '#runtime/core'
import { decodeUtf8 } from '../body/decode.ts'
import { canParse } from '../client/can-parse.ts'
import { secretsOf } from '../crypto/hmac.ts'
import { checkOption } from '../options/check.ts'
import type { Awaitable } from '../promise/awaitable.ts'
import { checkDelay } from '../time/delay.ts'
import type { Verifier } from './jwt-jose.ts'

/** The source of the keys: exactly one of `secret`, `publicKey` and `jwks`. */
export interface JwtKeyOptions {
  /** Accepted algorithms: `HS256`, `HS384`, `HS512` with `secret`, others with `publicKey` or `jwks`. */
  readonly algorithms: readonly string[]
  /** Shared secret for `HS…`, or several during rotation. */
  readonly secret?: string | readonly string[]
  /** Key that checks signatures: PEM (SPKI or a certificate), a JWK, or a `CryptoKey`. */
  readonly publicKey?: string | JWK | CryptoKey
  /** Key set of an identity provider: its URL, or the set itself. */
  readonly jwks?: string | URL | JSONWebKeySet
  /** Shortest time between two requests for the key set, in milliseconds; 1000 after a failure. @default 30000 */
  readonly jwksCooldownMs?: number
  /** How long the key set is used before it is fetched again, in milliseconds. @default 600000 */
  readonly jwksMaxAgeMs?: number
  /** Longest time that a request for the key set may take, in milliseconds. @default 5000 */
  readonly jwksTimeoutMs?: number
}

/** Algorithms of RFC 7518 §3.1 and RFC 8037, for a shared secret and for key pairs. `none` is not included. */
const SHARED = /^HS(?:256|384|512)$/
const PAIRED = /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519|ML-DSA-(?:44|65|87))$/

/** Functions that return the key of a token, to be tried in order. A public key is never used as a secret. */
export const keysOf = (feature: string, options: JwtKeyOptions, jose: Awaitable<Verifier>): JWTVerifyGetKey[] => {
  const { algorithms, secret, publicKey, jwks } = options
  const list = Array.isArray(algorithms) && algorithms.length > 0 && algorithms
  checkOption(list, `${feature}: algorithms`, 'a list such as ["RS256"]', algorithms)
  const sources = [secret, publicKey, jwks].filter((source) => source !== undefined).length
  checkOption(sources === 1, `${feature}: secret`, 'exactly one of secret, publicKey and jwks', `${sources} of them`)
  const [family, names] = secret === undefined ? [PAIRED, 'RS256, ES256, EdDSA …'] : [SHARED, 'HS256, HS384, HS512']
  for (const name of list) checkOption(family.test(name), `${feature}: algorithms`, `some of ${names}`, name)

  if (publicKey !== undefined) return [importedOnce(feature, publicKey, list, jose)]
  if (secret === undefined) return [keySet(feature, options, jose)]
  return secretsOf(secret, feature).map((text) => {
    checkOption(!text.includes('-----BEGIN'), `${feature}: secret`, 'a secret, which a PEM key is not', 'PEM')
    const bytes = new TextEncoder().encode(text)
    return () => bytes
  })
}

/** The type of key of an algorithm. An RSA key serves several algorithms, unless it was imported for one. */
const kindOf = (algorithm: string, imported: boolean): string =>
  /^Ed/.test(algorithm) ? 'EdDSA' : !imported && /^[RP]S/.test(algorithm) ? 'RSA' : algorithm

/** Import the key for each algorithm once, when the first token needs it. */
const importedOnce = (
  feature: string,
  publicKey: string | JWK | CryptoKey,
  algorithms: readonly string[],
  jose: Awaitable<Verifier>,
): JWTVerifyGetKey => {
  const isText = typeof publicKey === 'string'
  const isValid = isText ? publicKey.includes('-----BEGIN') : Object(publicKey) === publicKey
  checkOption(isValid, `${feature}: publicKey`, 'PEM, a JWK or a CryptoKey', typeof publicKey)
  const secretKind = !isText && ('k' in publicKey || ('type' in publicKey && publicKey.type === 'secret'))
  checkOption(!secretKind, `${feature}: publicKey`, 'a public key, which a shared secret is not', 'a secret')
  // Otherwise a client could name an algorithm for which this key cannot be imported, and cause an error
  const kinds = new Set(algorithms.map((name) => kindOf(name, !isText && !('kty' in publicKey))))
  checkOption(kinds.size === 1, `${feature}: algorithms`, 'algorithms for the same type of key', algorithms)
  const importKey = async (alg: string): Promise<CryptoKey | Uint8Array> => {
    const { importJWK, importSPKI, importX509 } = await jose
    if (!isText) return 'kty' in publicKey ? importJWK(publicKey as JWK, alg) : (publicKey as CryptoKey)
    return publicKey.includes('CERTIFICATE') ? importX509(publicKey, alg) : importSPKI(publicKey, alg)
  }
  const keys = new Map<string, Promise<CryptoKey | Uint8Array>>()
  return ({ alg = '' }) => {
    const importedKey = keys.get(alg) ?? importKey(alg)
    keys.set(alg, importedKey)
    return importedKey
  }
}

const keySet = (feature: string, options: JwtKeyOptions, jose: Awaitable<Verifier>): JWTVerifyGetKey => {
  const { jwks = '', jwksCooldownMs = 30_000, jwksMaxAgeMs = 600_000, jwksTimeoutMs = 5000 } = options
  for (const [name, value] of Object.entries({ jwksCooldownMs, jwksMaxAgeMs, jwksTimeoutMs }))
    checkDelay(value, `${feature}: ${name}`)
  const isSet = !!jwks && typeof jwks === 'object' && 'keys' in jwks
  const isValid = isSet ? isKeySet(jwks) : canParse(`${jwks}`) && /^https?:/.test(`${jwks}`)
  checkOption(isValid, `${feature}: jwks`, 'an http or https URL, or a key set', jwks)
  let getKey: JWTVerifyGetKey | undefined
  return async (header, token) => {
    const { createLocalJWKSet, createRemoteJWKSet, customFetch } = await jose
    getKey ??= isSet
      ? createLocalJWKSet(jwks)
      : createRemoteJWKSet(new URL(jwks), {
          cooldownDuration: jwksCooldownMs,
          cacheMaxAge: jwksMaxAgeMs,
          timeoutDuration: jwksTimeoutMs,
          [customFetch]: boundedFetch(Math.min(jwksCooldownMs, 1000)),
        })
    return getKey(header, token)
  }
}

/** Fetch a key set of at most 1 MiB. Anyone can cause such requests, so there is a pause after one that failed. */
const boundedFetch = (pauseMs: number): FetchImplementation => {
  let failure: { readonly error: unknown; readonly time: number } | undefined
  return async (url, options) => {
    if (failure && performance.now() - failure.time < pauseMs) throw failure.error
    try {
      const { status, body } = await fetch(url, options)
      if (status !== 200) await body?.cancel()
      const set = status === 200 && JSON.parse(decodeUtf8(await readStream(body, 1_048_576)))
      if (!set || !isKeySet(set)) throw new Error(`No key set at ${url}: status ${status}`)
      failure = undefined
      return Response.json(set)
    } catch (error) {
      failure = { error, time: performance.now() }
      throw error
    }
  }
}

const isKeySet = ({ keys }: JSONWebKeySet): boolean => Array.isArray(keys) && keys.every((key) => Object(key) === key)
