/** The functions that modules load at once on Node, under one name, so that a process opens few files. */
import { serversOf } from '../platform/servers.ts'
import type { ServeRuntime, Servers } from '../serve-contract.ts'

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
export * from './request.ts'
export * from './response.ts'

/** The server, which is loaded only by applications that listen. */
export const loadServe = (): Promise<ServeRuntime> => import('./serve.ts')

export const createServers = (): Servers => serversOf(loadServe)
