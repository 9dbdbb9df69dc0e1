import { createServer } from 'node:net'
import { failure } from '../errors.ts'

/** How many ports are tried, including the requested one. */
const TRIES = 50

/**
 * The requested port if it is free, else the next free one. Port 0 means any free port.
 *
 * @throws {CliError} with exit code 1 if none of fifty is free, or this machine does not have the address.
 */
export const freePort = async (port: number, host: string): Promise<number> => {
  for (let candidate = port; candidate < Math.min(port + TRIES, 65_536); candidate++) {
    const bound = await bind(candidate, host)
    if (bound !== undefined) return bound
  }
  throw failure(`No port from ${port} to ${Math.min(port + TRIES, 65_536) - 1} is free on ${host}`)
}

/** `localhost` has two addresses: a server on the other one would get the requests of some browsers. */
const bind = async (port: number, host: string): Promise<number | undefined> => {
  const bound = await tryListen(port, host)
  if (bound === undefined || host !== 'localhost') return bound
  for (const address of ['127.0.0.1', '::1']) if ((await tryListen(bound, address)) === undefined) return undefined
  return bound
}

const tryListen = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // On a machine without IPv6, `::1` cannot be in use.
      if (host === '::1' && error.code !== 'EADDRINUSE') resolve(port)
      else if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(failure(`Cannot listen on ${host}: ${error.message}`, error))
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
