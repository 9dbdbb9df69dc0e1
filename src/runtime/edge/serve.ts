import type { ServeRuntime } from '../serve-contract.ts'

/** The edge has no sockets: the platform calls `fetch` itself. */
export const serve: ServeRuntime['serve'] = () =>
  Promise.reject(new Error('listen() needs Node, Bun or Deno. Here, export the application: `export default app`'))
