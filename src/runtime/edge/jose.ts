import {
  createLocalJWKSet,
  createRemoteJWKSet,
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
  importJWK,
  importSPKI,
  importX509,
  jwtVerify,
})

export const loadSigner: JoseRuntime['loadSigner'] = () => ({ SignJWT, importJWK, importPKCS8 })
