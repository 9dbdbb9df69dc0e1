import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isFieldValue } from '../../internal/headers.ts'
import { isClosed, isCutOff } from './closed.ts'
import { hasField } from './headers.ts'
import { passedOn } from './passed-on.ts'
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
    if (!incoming.complete && incoming.method !== 'GET') linger(incoming, outgoing)
    if (NodeResponse.owns(response)) writeOwn(outgoing, response)
    else if (response.bodyUsed) throw new TypeError('The body of the response has been read already')
    else writePlatform(outgoing, passedOn(response))
  } catch (error) {
    console.error(error)
    if (!outgoing.headersSent) outgoing.writeHead(500).end()
    else outgoing.destroy()
  }
}

const writePlatform = (outgoing: ServerResponse, response: Response): void =>
  writeStream(outgoing, response, fieldsOf(response), response.body)

const writeOwn = (outgoing: ServerResponse, response: NodeResponse): void => {
  const body = response.take()
  if (typeof body === 'string') writeWhole(outgoing, response, body, Buffer.byteLength(body))
  else if (body instanceof Uint8Array) writeWhole(outgoing, response, body, body.byteLength)
  else if (response.knownLength !== undefined) writeWhole(outgoing, response, undefined, response.knownLength)
  else writeStream(outgoing, response, response.fields(), body)
}

const writeWhole = (
  outgoing: ServerResponse,
  response: NodeResponse,
  body: string | Uint8Array | undefined,
  length: number,
): void => {
  const fields = allowedFields(response.fields(), outgoing, true)
  fields.push('content-length', `${length}`)
  writeHead(outgoing, response, fields)
  outgoing.end(body)
}

/** A body whose length nobody knows, or none at all. */
const writeStream = (
  outgoing: ServerResponse,
  response: Response,
  given: readonly string[],
  stream: ReadableStream | null,
): void => {
  const bodiless = outgoing.req.method === 'HEAD' || response.status === 204 || response.status === 304
  const fields = allowedFields(given, outgoing, (!stream && !bodiless) || response.status === 204)
  if (!stream && !bodiless) fields.push('content-length', '0')
  if (stream && hasField(fields, 'content-length')) outgoing.strictContentLength = true
  const reader = stream?.getReader()
  try {
    writeHead(outgoing, response, fields)
  } catch (error) {
    reader?.cancel(error).catch(() => {})
    throw error
  }
  if (reader) pump(reader, outgoing)
  else outgoing.end()
}

const writeHead = (outgoing: ServerResponse, { status, statusText }: Response, fields: string[]): void => {
  if (outgoing.req.httpVersionMajor > 1) outgoing.writeHead(status, toRecord(fields))
  else if (statusText) outgoing.writeHead(status, statusText, fields)
  else outgoing.writeHead(status, fields)
}

/** What HTTP/2 takes: each name once, with a list where it has several values. Node checks names there, not values. */
const toRecord = (fields: readonly string[]): OutgoingHttpHeaders => {
  const record: OutgoingHttpHeaders = Object.create(null)
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!
    const value = fields[index + 1]!
    const known = record[name]
    if (!isFieldValue(value)) throw new TypeError(`${name}: ${JSON.stringify(value)} is not a field value`)
    record[name] = known === undefined ? value : ([known, value].flat() as string[])
  }
  return record
}

/** A copy without the fields that would contradict Node's framing, and those that HTTP/2 forbids; without the length where we know it better. */
const allowedFields = (fields: readonly string[], outgoing: ServerResponse, lengthIsKnown: boolean): string[] => {
  const multiplexed = outgoing.req.httpVersionMajor > 1
  const allowed: string[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!
    if (name === 'transfer-encoding' || (lengthIsKnown && name === 'content-length')) continue
    if (multiplexed && CONNECTION_FIELDS.includes(name)) continue
    allowed.push(name, fields[index + 1]!)
  }
  return allowed
}

/** The fields of a platform response; every `set-cookie` on its own. */
const fieldsOf = (response: Response): string[] => {
  const fields: string[] = []
  for (const [name, value] of response.headers) fields.push(name, value)
  return fields
}

/** Read as fast as the client does. The source is cancelled when the client goes, and a source that fails ends the connection. */
const pump = async (
  reader: ReadableStreamDefaultReader<Uint8Array | string>,
  outgoing: ServerResponse,
): Promise<void> => {
  const gone = () => {
    if (isCutOff(outgoing)) reader.cancel(new Error('The client has gone')).catch(() => {})
  }
  outgoing.on('close', gone)
  outgoing.on('error', gone)
  if (isClosed(outgoing)) return gone()
  outgoing.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isClosed(outgoing)) return gone()
      if (done) break
      if (!outgoing.write(value)) await drained(outgoing)
    }
    outgoing.end()
  } catch (error) {
    reader.cancel(error).catch(() => {})
    if (!isClosed(outgoing)) console.error(error)
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
