import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isFieldValue } from '../../internal/header/field-name.ts'
import type { FieldList } from '../../internal/header/fields.ts'
import type { EventBody } from '../../internal/sse/event-stream-state.ts'
import { type Closing, isEvents } from '../../internal/stream/closing.ts'
import type { SourcedBody } from '../../internal/stream/to-stream.ts'
import { linger } from './exchange.ts'
import { fieldIndex, hasField } from './headers.ts'
import { NodeResponse } from './node-response.ts'
import { pump } from './pump.ts'
import { pumpEvents } from './pump-events.ts'
import { fail } from './refuse.ts'
import { fixFetchedResponse } from './response.ts'
import { alreadyRead, isDisturbed } from './streams.ts'

/** Fields of one connection, which Node writes itself (RFC 9110 §7.6.1), and `trailer`, as no trailers are sent. */
const CONNECTION_FIELDS = ['connection', 'keep-alive', 'proxy-connection', 'trailer', 'transfer-encoding', 'upgrade']

/** Write a response to the socket. Never throws: if this fails, the client gets a 500, or the connection is cut. */
export const write = (
  outgoing: ServerResponse,
  response: Response,
  closing: Closing,
  incoming: IncomingMessage = outgoing.req,
): void => {
  try {
    if (closing.begun && isNewest(incoming)) outgoing.shouldKeepAlive = false
    if (!incoming.complete && incoming.method !== 'GET') linger(outgoing, incoming)
    if (NodeResponse.owns(response)) writeOwn(outgoing, response, closing)
    else if (response.bodyUsed) throw alreadyRead()
    else {
      const fixed = fixFetchedResponse(response)
      const fields: string[] = []
      for (const [name, value] of fixed.headers) fields.push(name, value)
      writeStream(outgoing, fixed, fields, fixed.body, closing)
    }
  } catch (error) {
    fail(outgoing, error)
  }
}

/** Whether the client has sent no further request, which would get no response after `Connection: close`. */
const isNewest = (incoming: IncomingMessage): boolean => {
  if (incoming.httpVersionMajor > 1) return true
  // Only Node's parser knows
  const { parser } = incoming.socket as { readonly parser?: { readonly incoming?: unknown } | null }
  return (parser?.incoming ?? incoming) === incoming
}

const writeOwn = (outgoing: ServerResponse, response: NodeResponse, closing: Closing): void => {
  const body = response.take()
  if (typeof body === 'string') writeWhole(outgoing, response, body, Buffer.byteLength(body))
  else if (body instanceof Uint8Array) writeWhole(outgoing, response, body, body.byteLength)
  else if (response.knownLength !== undefined) writeWhole(outgoing, response, undefined, response.knownLength)
  else writeStream(outgoing, response, response.fields(), body, closing)
}

/** A larger body is written to HTTP/2 in slices, because HTTP/2 does not report the progress of one write. */
const ONE_PIECE = 65_536

type WholeBody = string | Uint8Array | undefined

const writeWhole = (outgoing: ServerResponse, response: NodeResponse, body: WholeBody, length: number): void => {
  const fields = allowedFields(response.fields(), response.status, outgoing, true)
  fields.push('content-length', `${length}`)
  writeHead(outgoing, response, fields)
  if (!body || length <= ONE_PIECE || outgoing.req.httpVersionMajor === 1) outgoing.end(body)
  else {
    const slices = slicesOf(body)
    pump({ read: () => slices.next(), cancel: async () => {} }, outgoing)
  }
}

function* slicesOf(body: string | Uint8Array): Generator<Uint8Array, undefined> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  for (let at = 0; at < bytes.length; at += ONE_PIECE) yield bytes.subarray(at, at + ONE_PIECE)
}

const writeStream = (
  outgoing: ServerResponse,
  response: Response,
  given: readonly string[],
  stream: ReadableStream | null,
  closing: Closing,
): void => {
  if (stream && isDisturbed(stream)) throw alreadyRead()
  const bodiless = outgoing.req.method === 'HEAD' || response.status === 204 || response.status === 304
  const fields = allowedFields(given, response.status, outgoing, (!stream && !bodiless) || response.status === 204)
  if (!stream && !bodiless) fields.push('content-length', '0')
  if (stream && !bodiless && hasField(fields, 'content-length')) outgoing.strictContentLength = true
  const reader = stream?.getReader()
  try {
    writeHead(outgoing, response, fields)
  } catch (error) {
    reader?.cancel(error).catch(() => {})
    throw error
  }
  if (bodiless) reader?.cancel().catch(() => {})
  if (!reader || bodiless) outgoing.end()
  else if (isEvents(fields[fieldIndex(fields, 'content-type') + 1]))
    pumpEvents(reader, outgoing, closing, (stream as EventBody)['~stream'])
  else pump((stream as SourcedBody)['~source'] ?? reader, outgoing)
}

const writeHead = (outgoing: ServerResponse, { status, statusText }: Response, fields: string[]): void => {
  if (outgoing.req.httpVersionMajor > 1) outgoing.writeHead(status, toRecord(fields))
  else if (statusText) outgoing.writeHead(status, statusText, fields)
  else outgoing.writeHead(status, fields)
}

/** The format for HTTP/2: each name once, as Node refuses a list for some names. Node does not check the values. */
const toRecord = (fields: readonly string[]): OutgoingHttpHeaders => {
  const record: OutgoingHttpHeaders = Object.create(null)
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!
    const value = fields[index + 1]!
    const earlier = record[name]
    if (!isFieldValue(value)) throw new TypeError(`${name}: ${JSON.stringify(value)} is not a field value`)
    if (earlier === undefined) record[name] = value
    else record[name] = name === 'set-cookie' ? [earlier, value].flat().map(String) : `${earlier}, ${value}`
  }
  return record
}

/**
 * The fields without those of the connection, and without a `content-length` that is computed here or is not a number.
 * A handler may end an HTTP/1.1 connection with `close`. A 426 names its protocols in `upgrade` (RFC 9110 §15.5.22).
 */
const allowedFields = (fields: FieldList, status: number, outgoing: ServerResponse, hasLength: boolean): string[] => {
  const upgrades = status === 426 && outgoing.req.httpVersionMajor === 1
  const allowed: string[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!
    const value = fields[index + 1]!
    if (CONNECTION_FIELDS.includes(name) && !(upgrades && name === 'upgrade')) {
      if (name === 'connection' && value === 'close') outgoing.shouldKeepAlive = false
      continue
    }
    if (name === 'content-length' && (hasLength || !/^\d+$/.test(value))) continue
    allowed.push(name, value)
  }
  return allowed
}
