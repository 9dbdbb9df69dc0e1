import type { Execution } from '../../context.ts'
import type { ServeRuntime } from '../contract.ts'
import { toHandle } from '../platform/handle.ts'

/** What of Deno is used here. */
declare const Deno: {
  readonly env: { toObject(): Record<string, string> }
  serve(options: object, handler: (request: Request, info: unknown) => unknown): DenoServer
}

interface DenoServer {
  readonly addr: { readonly port?: number }
  shutdown(): Promise<void>
}

/** Listen with `Deno.serve`. @throws what the system says when the address cannot be bound. */
export const serve: ServeRuntime['serve'] = async (fetch, options) => {
  const { port = 3000, hostname, path, tls, graceMs = 10_000, env = Deno.env.toObject() } = options
  const cut = new AbortController()
  const server = Deno.serve(
    {
      ...(path ? { path } : { port, ...(hostname && { hostname }) }),
      ...tls,
      signal: cut.signal,
      onListen: () => {},
    },
    (request, info) => fetch(request, env, info as Execution),
  )
  return toHandle(server.addr.port, options, async () => {
    const timer = setTimeout(() => cut.abort(), graceMs)
    await server.shutdown()
    clearTimeout(timer)
  })
}
