import type { JoseRuntime } from '../../internal/auth/jwt-jose.ts'

// Imported dynamically, because a missing static import can only be reported in the words of the runtime
const load = (feature: string): Promise<typeof import('jose')> =>
  import('jose').catch((cause) => {
    throw new Error(`${feature} needs the package jose: npm install jose`, { cause })
  })

export const loadVerifier: JoseRuntime['loadVerifier'] = load

export const loadSigner: JoseRuntime['loadSigner'] = load
