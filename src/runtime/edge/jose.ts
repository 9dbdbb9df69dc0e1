import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importJWK,
  importPKCS8,
  importSPKI,
  importX509,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { JoseRuntime } from '../../internal/auth/jwt-jose.ts'

// Imported statically, so that a bundler drops the functions that are not used, and itself reports a missing package

export const loadVerifier: JoseRuntime['loadVerifier'] = () => ({
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importJWK,
  importSPKI,
  importX509,
  jwtVerify,
})

export const loadSigner: JoseRuntime['loadSigner'] = () => ({ SignJWT, importJWK, importPKCS8 })
