export { loadSigner, loadVerifier } from '../platform/jose.ts'
