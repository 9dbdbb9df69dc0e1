/** The functions that modules load at once on the edge, under one name, so that a process opens few files. */

import type { EnvFile, LoadRuntime } from '../contract.ts'

export { createSegmentRouter as createRouter } from '../../internal/route/segments.ts'
export { canEncode, encode, takeBody, withBody } from '../platform/compression-stream.ts'
export {
  addFields,
  adopt,
  contentOf,
  createResponse,
  noContent,
  removeField,
  streamOf,
  withoutBody,
} from '../platform/response.ts'
export { scrypt } from '../platform/scrypt.ts'
export { digest, hmac } from '../platform/web-digest.ts'
export { asyncLocal } from './async-local.ts'
export { listEnv, readEnv } from './env.ts'
export { readStream } from './read-stream.ts'
export { bytesOf, headerOf, limitBody, pathOf, peerOf, rereadable, searchOf, textOf } from './request.ts'
export { createServers, loadServe } from './servers.ts'
export { toStream } from './to-stream.ts'
export { brokenOff, hasLength } from './whole-body.ts'

/** Add a field name to `Vary`: a name that occurs twice means the same. */
export const appendVary = (headers: Headers, name: string): void => headers.append('vary', name)

/** The edge has no files, so a bundle holds nothing of what reads them. */
export const envFile: EnvFile | undefined = undefined

/** Not available, because the platform itself monitors the isolate. */
export const heapUsed: LoadRuntime['heapUsed'] = undefined

export const hasOwnTimers: LoadRuntime['hasOwnTimers'] = true

/** The platform has the class anyway. A thrown Proxy that fails when it is inspected fails here too. */
export const isResponse = (value: unknown): value is Response => value instanceof Response

/** Print an error. If printing throws, only this request fails. */
export const report = (error: unknown): void => console.error(error)

/** Does nothing: the console of this runtime accepts no custom form. Bundlers remove the function and its calls. */
export function showContext(_Class: unknown): void {}
