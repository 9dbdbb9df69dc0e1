import * as platform from '../platform/compression-stream.ts'
import { whole } from '../platform/response.ts'

export { takeBody } from '../platform/compression-stream.ts'
export { canEncode, encode } from '../platform/zlib.ts'

/** The response with another body, noted as such: a stream of it ends with the server. */
export const withBody: typeof platform.withBody = (response, body) => whole(platform.withBody(response, body), body)
