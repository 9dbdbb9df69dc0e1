export { canEncode, encode, takeBody, withBody } from '../platform/compression-stream.ts'
