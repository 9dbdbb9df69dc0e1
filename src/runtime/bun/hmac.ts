export { hmac } from '../platform/node-hmac.ts'
