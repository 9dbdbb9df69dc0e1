export { takeBody, withBody } from '../platform/compression-stream.ts'
export { canEncode, encode } from '../platform/zlib.ts'
