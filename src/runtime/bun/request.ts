import type { Execution } from '../contract.ts'

export { bytesOf, headerOf, limitBody, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

interface BunServer {
  readonly port?: number
  requestIP?(request: Request): { readonly address: string } | null
}

/**
 * Bun's server, which `Bun.serve({ fetch })` passes as the second argument, knows the address as long as the connection
 * is open. A server without a port is on a Unix socket.
 */
export const peerOf = (request: Request, env: unknown, execution: unknown): string | undefined => {
  const server = isServer(execution) ? execution : isServer(env) ? env : undefined
  if (!server) return (execution as Execution | undefined)?.peer
  return server.requestIP?.(request)?.address ?? (server.port === undefined ? '' : undefined)
}

const isServer = (value: unknown): value is BunServer => typeof (value as BunServer | null)?.requestIP === 'function'
