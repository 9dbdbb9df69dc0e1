export { digest, hmac } from '../platform/node-digest.ts'
