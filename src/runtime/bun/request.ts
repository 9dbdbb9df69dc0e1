import type { Execution, Replacing } from '../contract.ts'

export { bytesOf, limitBody, textOf } from '../../internal/body/read-body.ts'
export { rereadable } from '../platform/own-form.ts'
export { headerOf, searchOf } from '../platform/path.ts'
export { pathOf } from './path.ts'

interface BunServer {
  readonly port?: number
  requestIP?(request: Request): { readonly address: string } | null
}

/**
 * Bun's server, which `Bun.serve({ fetch })` passes as the second argument, knows the address as long as the connection
 * is open. A server without a port is on a Unix socket.
 */
export const peerOf = (request: Request & Replacing, env: unknown, execution: unknown): string | undefined => {
  if (request['~peer'] !== undefined) return request['~peer']
  const server = isServer(execution) ? execution : isServer(env) ? env : undefined
  const { peer } = (execution ?? {}) as Execution
  if (!server) return peer
  return server.requestIP?.(request)?.address ?? peer ?? (server.port === undefined ? '' : undefined)
}

const isServer = (value: unknown): value is BunServer => typeof (value as BunServer | null)?.requestIP === 'function'
