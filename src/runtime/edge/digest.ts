export { digest, hmac } from '../platform/web-digest.ts'
