import { afterEach } from 'vitest'
import type { ServerHandle } from '../../src/runtime/serve-contract.ts'

interface Listening {
  listen(options: object): Promise<ServerHandle>
}

const handles: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(handles.splice(0).map((handle) => handle.close()))
})

/** A server that ends with its test. */
export const kept = <Handle extends { close(): Promise<void> }>(handle: Handle): Handle => {
  handles.push(handle)
  return handle
}

/** Listen on a free port of loopback until the test ends. */
export const start = async (app: Listening, options: object = {}): Promise<ServerHandle> =>
  kept(await app.listen({ port: 0, hostname: '127.0.0.1', graceMs: 300, ...options }))
