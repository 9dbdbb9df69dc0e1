import { closeStream, type EventBody, type EventStreamState, signalOf } from '../../internal/sse/event-stream-state.ts'
import { encodeEvent } from '../../internal/sse/sse-frame.ts'
import { watchBody } from '../../internal/stream/after-body.ts'
import { type Closing, endAtShutdown, isEvents } from '../../internal/stream/closing.ts'
import { report } from './report.ts'
import { isNoted, isWhole } from './response.ts'

/** Types of platform responses that were made of a string: `new Response(text)`, `Response.json` and pages. */
const TEXTS = /^(?:text\/plain;charset=UTF-8$|application\/json|text\/html)/

/**
 * A response as Bun and Deno may send it: a stream of events ends when the server closes.
 *
 * @param cut ends other streams too, where the runtime cannot cut connections. That takes 10 µs, so a platform response
 * with the type of a string body counts as a string.
 * @throws {TypeError} for a body that was partly read: its rest would be sent as if it were complete.
 */
export const endableResponse = (response: Response, closing: Closing, cut?: Closing): Response => {
  if (response.bodyUsed) throw new TypeError('The body of the response has been read already')
  // On Bun and Deno, reading the headers of a response is slow
  if (isWhole(response)) return response
  const type = response.headers.get('content-type')
  if (isEvents(type)) {
    const state = (response.body as EventBody | null)?.['~stream']
    if (!state) return toEndable(response, closing, false)
    serveEvents(state, closing)
    return response
  }
  return cut && (isNoted(response) || !TEXTS.test(type ?? '')) ? toEndable(response, cut, true) : response
}

/** Serve our own stream of events: its state can end it, so that no other stream has to pass on each event. */
const serveEvents = (state: EventStreamState, closing: Closing): void => {
  state.sink.encode = encodeEvent
  if (state.over) return
  const source = { endForShutdown: () => closeStream(state) }
  signalOf(state).addEventListener('abort', () => void closing.openSources.delete(source))
  endAtShutdown(closing, source)
}

/**
 * A response whose stream ends early when `closing` begins. Nothing is read ahead: if the stream of a HEAD had ended
 * already, Bun would send its length.
 *
 * @param broken whether the client sees that it is not whole
 */
const toEndable = (response: Response, closing: Closing, broken: boolean): Response => {
  if (!response.body) return response
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  let controller: ReadableStreamDefaultController<Uint8Array>
  const source = {
    endForShutdown(): void {
      forget()
      const reason = new Error('The server is closing')
      if (broken) controller.error(reason)
      reader.cancel(reason).catch(() => {})
    },
  }
  const forget = (): void => void closing.openSources.delete(source)
  // A source whose `cancel` never settles must not stay in the list until the server closes
  const cancel = (reason: unknown): Promise<void> => {
    forget()
    return reader.cancel(reason)
  }
  const body = watchBody({ read: () => reader.read(), cancel }, forget, (created) => {
    controller = created
  })
  endAtShutdown(closing, source)
  return new Response(body, response)
}

/** The response to an error that the application did not handle: it says nothing about the error. */
export const respondToError = (error: unknown): Response => {
  report(error)
  return Response.json({ error: 'Internal Server Error' }, { status: 500 })
}

const closeWith = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error }, { status, headers: { ...headers, connection: 'close' } })

/** The response to a request whose host or target is invalid, which the application never sees. */
export const badRequest = (): Response => closeWith(400, 'Bad Request')

export const notImplemented = (): Response => closeWith(501, 'Not Implemented')

export const upgradeRequired = (): Response => closeWith(426, 'Upgrade Required', { upgrade: 'websocket' })

/** The response to a request whose handler is still at work when the time for a graceful shutdown is over. */
export const unavailable = (): Response => closeWith(503, 'Service Unavailable')
