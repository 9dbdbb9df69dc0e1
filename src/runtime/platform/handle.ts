import type { Background } from '../../internal/promise/background.ts'
import type { ListenOptions, ServerHandle } from '../serve-contract.ts'
import { report } from './report.ts'

interface BoundServer {
  readonly port: number | undefined
  /** Work that `close` waits for, after the requests have finished. */
  readonly background: Background
  stop(graceMs: number): Promise<void>
}

/** Address and close of a server. All callers share one close, and requests and `waitUntil` share one grace. */
export const toHandle = async (
  { port, background, stop }: BoundServer,
  { hostname = 'localhost', path, tls, signal, graceMs = 10_000 }: ListenOptions,
): Promise<ServerHandle> => {
  const closeOnce = async (): Promise<void> => {
    const end = performance.now() + graceMs
    await stop(graceMs)
    await background.settled(end - performance.now())
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= closeOnce()
    return closed
  }
  if (signal?.aborted) await close()
  else signal?.addEventListener('abort', () => void close().catch(report))
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const url = path ? `unix:${path}` : `${tls ? 'https' : 'http'}://${host}:${port}`
  return { port, hostname: path ?? hostname, url, close, [Symbol.asyncDispose]: close }
}
