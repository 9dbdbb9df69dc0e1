import type { IncomingMessage, ServerResponse } from 'node:http'
import { isHost } from '../../internal/client/host.ts'
import { createBackground } from '../../internal/promise/background.ts'
import type { NodeHandler, NodeHandlerOptions } from '../node-contract.ts'
import { createClosing } from '../platform/closing.ts'
import { cutQuery, isPlainPath, parseTarget } from '../platform/target.ts'
import type { Fetch } from '../serve-contract.ts'
import { hostOf } from './host-of.ts'
import { joinHead } from './join-head.ts'
import { UNREAD } from './linger.ts'
import { type ParsedBody, parsedBody } from './parsed-body.ts'
import { readAddress, rememberAddress } from './peer.ts'
import { fail, refuse } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { write } from './write.ts'

/** The properties that Express and Connect add to a message. */
type Incoming = IncomingMessage & ParsedBody & { readonly originalUrl?: string }

type Next = (error?: unknown) => void

/** Handle the requests of an existing server. */
export const toNodeHandler = (fetch: Fetch, options: NodeHandlerOptions): NodeHandler => {
  const { fallthrough = false, originalUrl = false, env = process.env } = options
  // The server is not ours, so we do not know when it closes.
  const closing = createClosing()
  const { waitUntil } = createBackground()
  return function sluice(incoming: Incoming, outgoing: ServerResponse, next?: Next) {
    // Earlier middleware has already responded.
    if (outgoing.headersSent || outgoing.writableEnded) return
    const request = toRequest(incoming, outgoing, (originalUrl && incoming.originalUrl) || incoming.url!)
    if (request) void respond(request, incoming, outgoing, next)
  }

  async function respond(
    request: NodeRequest,
    incoming: Incoming,
    outgoing: ServerResponse,
    next: Next | undefined,
  ): Promise<void> {
    let response: Response
    try {
      response = await fetch(request, env, { waitUntil })
    } catch (error) {
      if (next) passOn(incoming, next, error)
      else fail(outgoing, error)
      return
    }
    if (fallthrough && next && response.status === 404) {
      response.body?.cancel().catch(() => {})
      return passOn(incoming, next)
    }
    joinHead(outgoing)
    write(incoming, outgoing, response, closing)
  }
}

/** A body that our request has begun to read is useless for other readers: they would wait for its end. */
const passOn = (incoming: IncomingMessage, next: Next, error?: unknown): void => {
  if (!incoming.complete) incoming.emit(UNREAD)
  next(error)
}

/** The message as our request; `undefined` if it was refused, as our own server would. */
const toRequest = (incoming: Incoming, outgoing: ServerResponse, target: string): NodeRequest | undefined => {
  const { socket } = incoming
  const host = hostOf(incoming.rawHeaders) ?? `localhost:${socket.localPort}`
  const read = isPlainPath(target) ? { path: cutQuery(target), rest: target, origin: undefined } : parseTarget(target)
  if (!isHost(host) || !read) refuse(outgoing, 400, 'Bad Request')
  else if (incoming.method === 'TRACE' || incoming.method === 'CONNECT') refuse(outgoing, 501, 'Not Implemented')
  else {
    const origin = read.origin ?? new URL(`${'encrypted' in socket ? 'https' : 'http'}://${host}`).origin
    const address = readAddress(socket, typeof serverOf(socket)?.address() === 'string')
    rememberAddress(incoming.httpVersionMajor > 1 ? incoming : socket, address)
    const request = new NodeRequest(incoming, outgoing, read.path, origin, read.rest)
    const body = incoming.method === 'GET' || incoming.method === 'HEAD' ? undefined : parsedBody(incoming)
    if (body) request.keep(body)
    return request
  }
  return undefined
}

/** Node keeps the server on its connections; on a Unix socket, `address()` is a path. */
const serverOf = (socket: object): { address(): unknown } | undefined =>
  (socket as { readonly server?: { address(): unknown } }).server
