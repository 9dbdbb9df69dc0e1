import { createServer } from 'node:net'

const FIRST = 12_000
const COUNT = 12_000

/**
 * A port of 127.0.0.1 that is free. No system gives it to an outgoing connection: one that has such a port, or has closed
 * it less than a minute ago, lets nobody listen on it, and a server that a test starts again needs its port again.
 */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    const server = createServer()
      .once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error)))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
