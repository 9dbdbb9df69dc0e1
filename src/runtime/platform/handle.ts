import type { ListenOptions, ServerHandle } from '../contract.ts'

/** The handle of a bound server: its address, and one close that everybody shares, the signal included. */
export const toHandle = async (
  port: number | undefined,
  { hostname = 'localhost', path, tls, signal }: ListenOptions,
  stop: () => Promise<void>,
): Promise<ServerHandle> => {
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= stop()
    return closed
  }
  if (signal?.aborted) await close()
  else signal?.addEventListener('abort', () => void close(), { once: true })
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const url = path ? `unix:${path}` : `${tls ? 'https' : 'http'}://${host}:${port}`
  return { port, hostname: path ?? hostname, url, close, [Symbol.asyncDispose]: close }
}
