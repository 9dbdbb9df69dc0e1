/** The functions that modules load at once on Node, under one name, so that a process opens few files. */

export { appendVary } from '../../internal/header/vary.ts'
export { createRadixRouter as createRouter } from '../../internal/route/radix.ts'
export { toStream } from '../../internal/stream/to-stream.ts'
export { digest, hmac } from '../platform/node-digest.ts'
export { asyncLocal, envFile, hasOwnTimers, heapUsed, listEnv, readEnv } from '../platform/process.ts'
export { readStream } from '../platform/read-stream.ts'
export { report } from '../platform/report.ts'
export { isResponse } from '../platform/response.ts'
export { scrypt } from '../platform/scrypt.ts'
export { showContext } from '../platform/show-context.ts'
export { canEncode, encode } from '../platform/zlib.ts'
export {
  brokenOff,
  bytesOf,
  hasLength,
  headerOf,
  limitBody,
  NodeRequest,
  pathOf,
  peerOf,
  rereadable,
  searchOf,
  textOf,
} from './request.ts'
export {
  addFields,
  adopt,
  contentOf,
  createResponse,
  noContent,
  removeField,
  streamOf,
  takeBody,
  withBody,
  withoutBody,
} from './response.ts'
export { createServers, loadServe } from './servers.ts'
