import { request as send } from 'node:http'
import type { Entry } from './log.ts'

/** Header that names the request that is repeated. */
export const REPEATS = 'x-sluice-repeats'

/** Headers of the connection: the new connection has its own. */
const OWN = new Set(['connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive', 'te', REPEATS])

/** Maximum bytes of the response that are read, and maximum time to wait for it, in milliseconds. */
const MAX_BYTES = 16_384
const PATIENCE_MS = 5000

/**
 * True if a request can be sent again: its body was kept, and it does not switch protocols.
 */
export const canRepeat = ({ headers, body, method }: Entry): boolean => {
  const fields = new Map(headers)
  if (fields.has('upgrade') || method === 'CONNECT') return false
  return body !== undefined || (!fields.has('transfer-encoding') && (fields.get('content-length') ?? '0') === '0')
}

/** Send a request again to this server over a new socket, unchanged, whatever its URL and `Host` say. */
export const repeat = ({ id, method, url, headers, body }: Entry, port: number, host = 'localhost'): Promise<void> =>
  new Promise((resolve, reject) => {
    const { pathname, search } = new URL(url)
    const fields: [string, string][] = headers.filter(([name]) => !OWN.has(name)).map(([name, value]) => [name, value])
    if (body !== undefined) fields.push(['content-length', String(body.length)])
    const outgoing = send({
      // A server on all addresses also listens on this one
      host: host === '0.0.0.0' || host === '::' ? 'localhost' : host,
      port,
      method,
      path: pathname + search,
      headers: [...fields, [REPEATS, String(id)], ['connection', 'close']].flat(),
      agent: false,
    })
    outgoing.once('response', (response) => {
      let size = 0
      const done = (): void => {
        clearTimeout(timer)
        resolve()
        response.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size >= MAX_BYTES) done()
      })
      response.once('end', done)
      response.once('close', done)
      response.once('error', done)
    })
    const timer = setTimeout(() => outgoing.destroy(new Error(`No response within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    outgoing.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    outgoing.end(body)
  })
