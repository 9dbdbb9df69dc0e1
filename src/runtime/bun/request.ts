import type { Execution, Replacing } from '../contract.ts'
import * as platform from '../platform/path.ts'

export { bytesOf, headerOf, limitBody, rereadable, searchOf, textOf } from '../platform/request.ts'

let routed: Request | undefined
let routedPath = ''

/** Note the path of a request that Bun's own router has found, before it is asked for. */
export const notePath = (request: Request, path: string): void => {
  routed = request
  routedPath = path
}

/** The path; once, without the URL, which Bun writes anew for each request that is asked for it. */
export const pathOf = (request: Request): string => {
  if (request !== routed) return platform.pathOf(request)
  routed = undefined
  return routedPath
}

interface BunServer {
  readonly port?: number
  requestIP?(request: Request): { readonly address: string } | null
}

/**
 * Bun's server, which `Bun.serve({ fetch })` passes as the second argument, knows the address as long as the connection
 * is open. A server without a port is on a Unix socket.
 */
export const peerOf = (request: Request & Replacing, env: unknown, execution: unknown): string | undefined => {
  const known = request['~peer']
  if (known !== undefined) return known
  const server = isServer(execution) ? execution : isServer(env) ? env : undefined
  const { peer } = (execution ?? {}) as Execution
  if (!server) return peer
  return server.requestIP?.(request)?.address ?? peer ?? (server.port === undefined ? '' : undefined)
}

const isServer = (value: unknown): value is BunServer => typeof (value as BunServer | null)?.requestIP === 'function'
