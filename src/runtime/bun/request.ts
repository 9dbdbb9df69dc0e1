import type { Execution } from '../contract.ts'

export { bytesOf, headerOf, limitBody, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

interface BunServer {
  readonly port?: number
  requestIP?(request: Request): { readonly address: string } | null
}

/**
 * Bun's server knows the address, as long as the connection is open; it is the second argument that `Bun.serve({ fetch
 * })` passes. A server without a port is on a unix socket.
 */
export const peerOf = (request: Request, env: unknown, execution: unknown): string | undefined => {
  const server = isServer(execution) ? execution : isServer(env) ? env : undefined
  const { peer } = (execution ?? {}) as Execution
  if (!server) return peer
  return server.requestIP?.(request)?.address ?? peer ?? (server.port === undefined ? '' : undefined)
}

const isServer = (value: unknown): value is BunServer => typeof (value as BunServer | null)?.requestIP === 'function'
