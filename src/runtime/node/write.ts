import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasField } from './headers.ts'
import { NodeResponse } from './response.ts'

/** Fields that belong to one connection: HTTP/2 has none of them (RFC 9113 §8.2.2), and framing is Node's own work. */
const CONNECTION_FIELDS: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]

/** How long an upload may go on after its answer was sent, in milliseconds. */
const LINGER_MS = 2_000

/** Write a response to the socket. Never throws: what cannot be written ends the connection. */
export const write = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response): void => {
  try {
    if (!incoming.complete) linger(incoming, outgoing)
    if (NodeResponse.owns(response)) writeOwn(outgoing, response)
    else writeHead(outgoing, response, fieldsOf(response), response.body, undefined)
  } catch (error) {
    console.error(error)
    if (!outgoing.headersSent) outgoing.writeHead(500).end()
    else outgoing.destroy()
  }
}

const writeOwn = (outgoing: ServerResponse, response: NodeResponse): void => {
  const body = response.take()
  const fields = response.fields()
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    writeHead(outgoing, response, fields, null, length)
    outgoing.end(body)
  } else writeHead(outgoing, response, fields, body, response.knownLength)
}

/** Status line and fields; then the stream, or nothing. `length` is that of a body which the caller writes. */
const writeHead = (
  outgoing: ServerResponse,
  { status, statusText }: Response,
  given: readonly string[],
  stream: ReadableStream | null,
  length: number | undefined,
): void => {
  const fields = withFraming(outgoing, status, given, stream, length)
  if (statusText && outgoing.req.httpVersionMajor < 2) outgoing.writeHead(status, statusText, fields as never)
  else outgoing.writeHead(status, fields as never)
  if (stream) pump(stream, outgoing)
  else if (length === undefined || outgoing.req.method === 'HEAD') outgoing.end()
}

/** Content-Length where the length is known, and no field that would contradict Node's framing. */
const withFraming = (
  outgoing: ServerResponse,
  status: number,
  given: readonly string[],
  stream: ReadableStream | null,
  length: number | undefined,
): string[] => {
  let fields = given.slice()
  if (fields.some((name, index) => index % 2 === 0 && isConnectionField(name, outgoing))) {
    fields = fields.filter((_, index) => !isConnectionField(fields[index - (index % 2)]!, outgoing))
  }
  if (stream) {
    if (hasField(fields, 'content-length')) outgoing.strictContentLength = true
    return fields
  }
  const known = length ?? (outgoing.req.method === 'HEAD' || status === 204 || status === 304 ? undefined : 0)
  if (known === undefined) return fields
  if (hasField(fields, 'content-length')) {
    fields = fields.filter((_, index) => fields[index - (index % 2)] !== 'content-length')
  }
  fields.push('content-length', String(known))
  return fields
}

const isConnectionField = (name: string, outgoing: ServerResponse): boolean =>
  name === 'transfer-encoding' || (outgoing.req.httpVersionMajor > 1 && CONNECTION_FIELDS.includes(name))

/** The fields of a platform response; every `set-cookie` on its own. */
const fieldsOf = (response: Response): string[] => {
  const fields: string[] = []
  for (const [name, value] of response.headers) fields.push(name, value)
  return fields
}

/** Read as fast as the client does. The source is cancelled when the client goes, and a source that fails ends the connection. */
const pump = async (stream: ReadableStream<Uint8Array | string>, outgoing: ServerResponse): Promise<void> => {
  const reader = stream.getReader()
  const gone = () => {
    if (!outgoing.writableFinished) reader.cancel(new Error('The client has gone')).catch(() => {})
  }
  outgoing.on('close', gone)
  outgoing.on('error', gone)
  outgoing.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (outgoing.destroyed) return gone()
      if (done) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
    outgoing.end()
  } catch (error) {
    reader.cancel(error).catch(() => {})
    if (!outgoing.destroyed) console.error(error)
    outgoing.destroy()
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on('drain', done)
    outgoing.on('close', done)
  })

/** The answer comes before the upload has ended: let the client finish and read it, but not for ever. */
const linger = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return
  outgoing.once('finish', () => {
    if (incoming.complete) return
    const { socket } = incoming
    const cut = setTimeout(() => socket.destroy(), LINGER_MS)
    cut.unref()
    incoming.once('close', () => clearTimeout(cut))
    incoming.once('end', () => clearTimeout(cut))
    incoming.resume()
  })
}
