import type { Execution } from '../../context.ts'
import type { ListenOptions, ServeRuntime } from '../contract.ts'
import { toHandle } from '../platform/handle.ts'

/** What of Deno is used here. */
declare const Deno: {
  readonly env: { toObject(): Record<string, string> }
  serve(options: object, handler: (request: Request, info: unknown) => unknown): DenoServer
}

interface DenoServer {
  readonly addr: { readonly port?: number }
  shutdown(): Promise<void>
  unref(): void
}

/** Listen with `Deno.serve`. @throws what the system says when the address cannot be bound. */
export const serve: ServeRuntime['serve'] = async (fetch, options) => {
  const { port = 3000, hostname, path, tls, env = Deno.env.toObject() } = options
  const server = Deno.serve(
    {
      ...(path ? { path } : { port, ...(hostname && { hostname }) }),
      ...tls,
      onListen: () => {},
    },
    (request, info) => fetch(request, env, info as Execution),
  )
  return toHandle(server.addr.port, options, () => stop(server, options))
}

/**
 * Let requests finish. Deno cannot cut connections once it shuts down (aborting its signal then throws out of the event loop),
 * so what is left after the time is no longer waited for, and keeps the process no longer.
 */
const stop = async (server: DenoServer, { graceMs = 10_000 }: ListenOptions): Promise<void> => {
  let late: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise<void>((resolve) => {
    late = setTimeout(resolve, graceMs)
  })
  await Promise.race([server.shutdown(), enough])
  clearTimeout(late)
  server.unref()
}
