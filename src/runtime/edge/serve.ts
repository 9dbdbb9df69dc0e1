import type { ServeRuntime } from '../contract.ts'

/** There are no sockets here: the platform calls `fetch` itself. */
export const serve: ServeRuntime['serve'] = () =>
  Promise.reject(new Error('listen() needs Node, Bun or Deno. Here, export the application: `export default app`'))
