/** What modules load at once on the edge, under one name, so that a process opens few files. */

export { createSegmentRouter as createRouter } from '../../internal/route/segments.ts'
export {
  addFields,
  adopt,
  contentOf,
  createResponse,
  removeField,
  streamOf,
  withoutBody,
} from '../platform/response.ts'
export { scrypt } from '../platform/scrypt.ts'
export { noContent } from '../platform/short-response.ts'
export { digest, hmac } from '../platform/web-digest.ts'
export { asyncLocal } from './async-local.ts'
export { listEnv, readEnv } from './env.ts'
export { envFile } from './env-file.ts'
export { isResponse } from './is-response.ts'
export { hasOwnTimers, heapUsed } from './load.ts'
export { loadServe } from './load-serve.ts'
export { readStream } from './read-stream.ts'
export { report } from './report.ts'
export { bytesOf, headerOf, limitBody, pathOf, peerOf, rereadable, searchOf, textOf } from './request.ts'
export { createServers } from './servers.ts'
export { showContext } from './show-context.ts'
export { toStream } from './to-stream.ts'
export { appendVary } from './vary.ts'
export { brokenOff, hasLength } from './whole-body.ts'
