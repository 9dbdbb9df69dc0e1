import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { report } from '../platform/report.ts'
import { afterEarlier, linger, lingerOn } from './exchange.ts'
import { breakOff } from './pump.ts'

/** Respond with `{ error }` as JSON, without the application. Headers that were set before are dropped. */
export const refuse = (outgoing: ServerResponse, status: number, error: string, keep = false): void => {
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  // Node keeps a reason phrase that it has refused. HTTP/2 has none
  if (outgoing.req.httpVersionMajor < 2) outgoing.statusMessage = ''
  outgoing.strictContentLength = false
  const body = JSON.stringify({ error })
  const close = !keep && outgoing.req.httpVersionMajor < 2 && { connection: 'close' }
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length, ...close })
  outgoing.end(body)
}

/** Report an error that the application did not handle. Send a 500, or break off the response. Never throws. */
export const fail = (outgoing: ServerResponse, error: unknown): void => {
  report(error)
  try {
    if (outgoing.headersSent) breakOff(outgoing)
    else {
      linger(outgoing)
      refuse(outgoing, 500, 'Internal Server Error', true)
    }
  } catch (worse) {
    report(worse)
    outgoing.destroy()
  }
}

/** CONNECT: HTTP/1.1 passes the socket, HTTP/2 a response. */
export const refuseTunnel = (_incoming: unknown, socket: Socket | ServerResponse): void => {
  if ('writeHead' in socket) refuse(socket, 501, 'Not Implemented')
  else {
    socket.on('error', () => {})
    afterEarlier(socket, () => {
      socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      // The client may keep its half of the connection open, and send for ever
      lingerOn(socket, socket)
    })
  }
}
