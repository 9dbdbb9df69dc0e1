export { hmac } from '../platform/web-hmac.ts'
