import type { Awaitable } from '../promise/awaitable.ts'

type Jose = typeof import('jose')

/** The part of `jose` that checks tokens. */
export type Verifier = Pick<
  Jose,
  'createLocalJWKSet' | 'createRemoteJWKSet' | 'customFetch' | 'importJWK' | 'importSPKI' | 'importX509' | 'jwtVerify'
>

/** The part of `jose` that signs tokens. */
export type Signer = Pick<Jose, 'SignJWT' | 'importJWK' | 'importPKCS8'>

/** `#runtime/jose`: two functions, so that a bundle contains only the part that it uses. */
export interface JoseRuntime {
  /** @param feature the public function that needs `jose`, for the error if it is not installed */
  loadVerifier(feature: string): Awaitable<Verifier>
  loadSigner(feature: string): Awaitable<Signer>
}
