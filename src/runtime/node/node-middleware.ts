import type { IncomingMessage } from 'node:http'
import type { NodeMiddleware, NodeOutcome } from '../node-contract.ts'
import { isTaken } from './body.ts'
import { CapturedResponse } from './captured-response.ts'
import { READ } from './continue.ts'
import { setFields } from './join-head.ts'
import { NodeRequest } from './node-request.ts'
import { parsedBody } from './parsed-body.ts'
import { toMessage } from './to-message.ts'

/** Node's request and response for one request: each middleware sees what earlier ones have added. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: CapturedResponse
}

const exchanges = new WeakMap<object, Exchange>()

export const runNodeMiddleware = async (
  middleware: NodeMiddleware,
  of: object,
  request: Request,
): Promise<NodeOutcome> => {
  const exchange = exchanges.get(of)
  const { incoming, outgoing } = exchange ?? exchangeOf(request)
  if (!exchange) exchanges.set(of, { incoming, outgoing })
  const response = await new Promise<Response | undefined>((resolve, reject) => {
    outgoing.answer = (made) => (made instanceof Error ? reject(made) : resolve(made))
    const next = (error?: unknown): void => (error ? reject(error) : resolve(undefined))
    // This catches a synchronous throw and a rejection.
    new Promise((settle) => settle(middleware(incoming, outgoing, next))).catch(reject)
  })
  const body = NodeRequest.incomingOf(request) === incoming && !response ? parsedBody(incoming) : undefined
  if (body) (request as NodeRequest).keep(body)
  return { response, incoming, finish: exchange ? undefined : (answer) => writeResponse(outgoing, answer) }
}

const exchangeOf = (request: Request): Exchange => {
  const real = NodeRequest.incomingOf(request)
  // A body that we have read is replayed from its bytes, not from the message. The message of a disconnected client
  // reports nothing more
  const incoming = real && !isTaken(real) && !real.aborted ? real : toMessage(request, real?.socket)
  // The middleware may read it
  real?.emit(READ)
  const outgoing = new CapturedResponse(incoming)
  const disconnect = (): void => outgoing.disconnect()
  // The middleware listens first
  if (request.signal.aborted) process.nextTick(disconnect)
  else request.signal.addEventListener('abort', disconnect)
  return { incoming, outgoing }
}

/** Headers that describe bytes which never went through the middleware. */
const OF_BODY = /^(?:content-(?:length|encoding)|transfer-encoding)$/

/** Show the response to middleware that waits for its headers or its end, and copy the headers that it has set. */
const writeResponse = async (outgoing: CapturedResponse, response: Response): Promise<void> => {
  // It has responded after it had called `next`; the response of the application is used.
  if (outgoing.headersSent) return
  outgoing.statusCode = response.status
  if (response.statusText) outgoing.statusMessage = response.statusText
  const { headers } = response
  const fields: string[] = []
  for (const [name, value] of headers) fields.push(name, value)
  setFields(outgoing, fields)
  const ended = new Promise((resolve) => {
    outgoing.answer = resolve
  })
  outgoing.writeHead(outgoing.statusCode)
  for (const [name, value] of Object.entries(outgoing.getHeaders())) {
    if (OF_BODY.test(name)) continue
    headers.delete(name)
    for (const item of [value].flat()) headers.append(name, `${item}`)
  }
  outgoing.end()
  // Wait for middleware that delays the end, as express-session does to store the session first.
  await ended
}
