/** The functions that modules load at once on Deno, under one name, so that a process opens few files. */

import { serversOf } from '../platform/servers.ts'
import type { ServeRuntime, Servers } from '../serve-contract.ts'

export { appendVary } from '../../internal/header/vary.ts'
export { createRadixRouter as createRouter } from '../../internal/route/radix.ts'
export { toStream } from '../../internal/stream/to-stream.ts'
export { takeBody, withBody } from '../platform/compression-stream.ts'
export { digest, hmac } from '../platform/node-digest.ts'
export { asyncLocal, envFile, hasOwnTimers, heapUsed, listEnv, readEnv } from '../platform/process.ts'
export { readStream } from '../platform/read-stream.ts'
export { report } from '../platform/report.ts'
export * from '../platform/response.ts'
export { scrypt } from '../platform/scrypt.ts'
export { showContext } from '../platform/show-context.ts'
export { brokenOff, hasLength } from '../platform/whole-body.ts'
export { withoutBody } from '../platform/without-body.ts'
export { canEncode, encode } from '../platform/zlib.ts'
export * from './request.ts'

/** Only applications that listen load the server. */
export const loadServe = (): Promise<ServeRuntime> => import('./serve.ts')

export const createServers = (): Servers => serversOf(loadServe)
