import type { Execution } from '../../context.ts'
import type { ListenOptions, ServeRuntime } from '../contract.ts'
import { toHandle } from '../platform/handle.ts'

/** What of Bun is used here. */
declare const Bun: {
  readonly env: unknown
  serve(options: object): BunServer
}

interface BunServer {
  readonly port: number | undefined
  readonly hostname: string | undefined
  stop(closeActive?: boolean): Promise<void>
}

/** Listen with `Bun.serve`. @throws what the system says when the address cannot be bound. */
export const serve: ServeRuntime['serve'] = async (fetch, options) => {
  const { port = 3000, hostname, path, tls, env = Bun.env } = options
  const server = Bun.serve({
    ...(path ? { unix: path } : { port, ...(hostname && { hostname }) }),
    ...(tls && { tls }),
    idleTimeout: 255,
    fetch: (request: Request, server: BunServer) => fetch(request, env, server as unknown as Execution),
  })
  return toHandle(server.port, options, () => stop(server, options))
}

/** Let requests finish, then cut what is left. */
const stop = async (server: BunServer, { graceMs = 10_000 }: ListenOptions): Promise<void> => {
  const cut = setTimeout(() => void server.stop(true), graceMs)
  await server.stop()
  clearTimeout(cut)
}
