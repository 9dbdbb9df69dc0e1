/** The functions that modules load at once on the edge, under one name, so that a process opens few files. */

import { tooLarge } from '../../internal/body/too-large.ts'
import type { EnvFile } from '../contract.ts'
import type { ServeRuntime, Servers } from '../serve-contract.ts'

export { createSegmentRouter as createRouter } from '../../internal/route/segments.ts'
export { canEncode, encode, takeBody, withBody } from '../platform/compression-stream.ts'
export * from '../platform/response.ts'
export { scrypt } from '../platform/scrypt.ts'
export { digest, hmac } from '../platform/web-digest.ts'
export { asyncLocal } from './async-local.ts'
export * from './request.ts'
export { toStream } from './to-stream.ts'
export { brokenOff, hasLength } from './whole-body.ts'

/** Add a field name to `Vary`: a name that occurs twice means the same. */
export const appendVary = (headers: Headers, name: string): void => headers.append('vary', name)

/** The variables of workerd with `nodejs_compat`, and of edge-light. */
export const listEnv = (): Readonly<Record<string, string | undefined>> => globalThis.process?.env ?? {}

/** One of them; for an inherited name such as `constructor` it may not be a string. */
export const readEnv = (name: string): unknown => listEnv()[name]

export const envFile: EnvFile | undefined = undefined

export const heapUsed: (() => number) | undefined = undefined

/** Timers and connections end with their request. */
export const hasOwnTimers: boolean = true

/** The platform has the class anyway. A thrown Proxy that fails when it is inspected fails here too. */
export const isResponse = (value: unknown): value is Response => value instanceof Response

/** If printing throws, only this request fails. */
export const report = (error: unknown): void => console.error(error)

/** Does nothing: the console of this runtime accepts no custom form. Bundlers remove the function and its calls. */
export function showContext(_Class: unknown): void {}

/** Read a stream to its end and count its bytes; over the limit it is cancelled. @throws {Error} 413. */
export const readStream = async (stream: ReadableStream | null, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = stream?.getReader()
  let size = 0
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    size += value.length
    if (size > limit) {
      reader!.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(value)
  }
}

/** The edge has no sockets. */
const serve = (): Promise<never> =>
  Promise.reject(new Error('listen() needs Node, Bun or Deno. Here, export the application: `export default app`'))

export const loadServe = async (): Promise<ServeRuntime> => ({ serve })

export const createServers = (): Servers => ({ listen: serve, close: async () => {} })
