/** Well-behaved clients: HTTP/1.1 over one kept connection, plain or TLS, and HTTP/2 over one session. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { connect } from 'node:http2'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

/** How long an answer may take before it counts as lost, in milliseconds: the machine may be busy, so this is long. */
const PATIENCE_MS = 30_000

const whole = (what, begin) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what}: no whole answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    const chunks = []
    const fail = (error) => {
      clearTimeout(timer)
      reject(new Error(`${what}: ${error.message}`))
    }
    begin({
      fail,
      add: (chunk) => chunks.push(chunk),
      end: (head) => {
        clearTimeout(timer)
        const bytes = Buffer.concat(chunks)
        resolve({ ...head, bytes, text: bytes.toString(), json: () => JSON.parse(bytes.toString()) })
      },
    })
  })

const overHttp1 = (secure, port) => {
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const send = secure ? requestHttps : requestHttp
  const ask = (method, path, { headers = {}, body } = {}) =>
    whole(`${method} ${path}`, ({ fail, add, end }) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const outgoing = send({ port, host: '127.0.0.1', agent, method, path, headers: { ...headers, ...length } })
      outgoing.on('error', fail)
      outgoing.on('response', (incoming) => {
        incoming.on('data', add)
        incoming.on('error', fail)
        incoming.on('end', () => {
          if (incoming.complete) end({ status: incoming.statusCode, headers: incoming.headers })
          else fail(new Error('cut off'))
        })
      })
      outgoing.end(body)
    })
  return { ask, close: () => agent.destroy() }
}

const overHttp2 = (port) => {
  let session
  const open = () => {
    if (session && !session.closed && !session.destroyed) return session
    session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    return session
  }
  const ask = (method, path, { headers = {}, body } = {}) =>
    whole(`h2 ${method} ${path}`, ({ fail, add, end }) => {
      const stream = open().request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined })
      let head
      let ended = false
      stream.on('response', ({ ':status': status, ...fields }) => {
        const cookies = fields['set-cookie']
        head = { status, headers: { ...fields, ...(cookies && { 'set-cookie': [cookies].flat() }) } }
      })
      stream.on('data', add)
      stream.on('end', () => {
        ended = true
      })
      stream.on('error', fail)
      stream.on('close', () => {
        if (head && ended && stream.rstCode === 0) end(head)
        else fail(new Error(`cut off, code ${stream.rstCode}`))
      })
      if (body !== undefined) stream.end(body)
    })
  return { ask, close: () => session?.destroy() }
}

/** A client of the server at a place of the list of ports: HTTP, HTTPS, HTTP/2. */
export const createClient = (ports, kind) => (kind === 2 ? overHttp2(ports[2]) : overHttp1(kind === 1, ports[kind]))
