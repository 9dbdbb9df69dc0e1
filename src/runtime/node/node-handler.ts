import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isHost } from '../../internal/client/host.ts'
import { createBackground } from '../../internal/promise/background.ts'
import { createClosing } from '../../internal/stream/closing.ts'
import type { NodeHandler, NodeHandlerOptions } from '../node-contract.ts'
import { parseTarget } from '../platform/target.ts'
import type { Fetch } from '../serve-contract.ts'
import { joinHead, type ParsedMessage, parsedBody } from './earlier-middleware.ts'
import { UNREAD } from './exchange.ts'
import { readAddress, rememberAddress } from './peer.ts'
import { hostOf } from './received-fields.ts'
import { fail, refuse } from './refuse.ts'
import { NodeRequest } from './request.ts'
import { write } from './write.ts'

/** `originalUrl` is of Express and Connect. */
type Incoming = ParsedMessage & { readonly originalUrl?: string }

type Next = (error?: unknown) => void

/** Handle the requests of an existing server. */
export const toNodeHandler = (fetch: Fetch, options: NodeHandlerOptions): NodeHandler => {
  const { fallthrough = false, originalUrl = false, env = process.env } = options
  // Nobody tells us when the server closes
  const closing = createClosing()
  const { waitUntil } = createBackground()
  const respond = async (request: NodeRequest, outgoing: ServerResponse, next: Next | undefined): Promise<void> => {
    const { incoming } = request
    let response: Response
    try {
      response = await fetch(request, env, { waitUntil })
    } catch (error) {
      return next ? passOn(incoming, next, error) : fail(outgoing, error)
    }
    if (fallthrough && next && response.status === 404) {
      response.body?.cancel().catch(() => {})
      return passOn(incoming, next)
    }
    joinHead(outgoing)
    write(outgoing, response, closing, incoming)
  }
  return function sluice(incoming: Incoming, outgoing: ServerResponse, next?: Next) {
    // Earlier middleware has responded
    if (outgoing.headersSent || outgoing.writableEnded) return
    const request = toRequest(incoming, outgoing, (originalUrl && incoming.originalUrl) || incoming.url!)
    if (request) void respond(request, outgoing, next)
  }
}

/** Other readers would wait for ever for the end of a body that our request has begun to read. */
const passOn = (incoming: IncomingMessage, next: Next, error?: unknown): void => {
  if (!incoming.complete) incoming.emit(UNREAD)
  next(error)
}

/** @returns `undefined` for a request that was refused, for the same reasons as by our own server */
const toRequest = (incoming: Incoming, outgoing: ServerResponse, target: string): NodeRequest | undefined => {
  const socket: Socket & { readonly server?: Server } = incoming.socket
  const { method = '', rawHeaders } = incoming
  const host = hostOf(rawHeaders) ?? `localhost:${socket.localPort}`
  const parsed = parseTarget(target)
  if (!isHost(host) || !parsed) return void refuse(outgoing, 400, 'Bad Request')
  if (method === 'TRACE' || method === 'CONNECT') return void refuse(outgoing, 501, 'Not Implemented')
  const origin = parsed.origin ?? new URL(`${'encrypted' in socket ? 'https' : 'http'}://${host}`).origin
  // On a Unix socket, `address()` is a path
  const address = readAddress(socket, typeof socket.server?.address() === 'string')
  rememberAddress(incoming.httpVersionMajor > 1 ? incoming : socket, address)
  const request = new NodeRequest(incoming, outgoing, parsed.path, origin, parsed.rest)
  const body = method === 'GET' || method === 'HEAD' ? undefined : parsedBody(incoming)
  if (body) request.setBytes(body)
  return request
}
