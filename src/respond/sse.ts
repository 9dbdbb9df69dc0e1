import { DEV } from '#mode'
import { addFields } from '#runtime/core'
import type { HeadersInput } from '../internal/header/fields.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import { openEvents, type Sender } from '../internal/sse/event-stream.ts'
import type { ServerSentEvent } from '../internal/sse/sse-frame.ts'
import { streamResponse } from '../internal/stream/stream-response.ts'
import { checkDelay } from '../internal/time/delay.ts'
import type { Context, FieldList, TypedResponse } from '../internal/types/context.ts'

export type { Send, Sender } from '../internal/sse/event-stream.ts'
export type { ServerSentEvent } from '../internal/sse/sse-frame.ts'

/** Options of {@link sse}. */
export interface SseOptions {
  /** Milliseconds between heartbeat comments, at most 2147483647; 0 for none. @default 15000 */
  readonly heartbeatMs?: number
  /**
   * How many bytes may wait for a slow client when an event is sent. With more, the client is disconnected, and
   * `onError` gets the error. At least 16 KiB. A single loop that awaits each `send` never reaches the
   * limit; several share it. @default 1048576
   */
  readonly backpressureLimit?: number
  /** Further headers. */
  readonly headers?: HeadersInput
  /** Gets the error of a sender, or of a client that was too slow. @default console.error */
  readonly onError?: (error: unknown) => void
}

/** Types only: `sluice/client` reads them from a route. */
export interface EventStream<out Event> {
  readonly events: Event
}

/** Proxies must neither cache nor buffer events. */
const FIELDS: FieldList = ['cache-control', 'no-cache, no-transform', 'x-accel-buffering', 'no']

/**
 * A response with server-sent events (WHATWG HTML §9.2).
 *
 * @throws {TypeError} for a sender that is not a function, and for a bad option.
 * @typeParam Event the events that are sent, for `sluice/client`
 * @example
 * sse(async (send) => {
 *   for (const price of await prices()) await send({ event: 'price', data: price })
 * })
 */
export const sse = <Event extends ServerSentEvent = ServerSentEvent>(
  sender: Sender<Event>,
  options: SseOptions = {},
): TypedResponse<EventStream<Event>, 200> => {
  const { heartbeatMs = 15_000, backpressureLimit = 1_048_576, headers, onError = console.error } = options
  if (DEV) {
    checkOption(typeof sender === 'function', 'sse: sender', 'a function', sender)
    checkNames('sse', options, 'heartbeatMs backpressureLimit:number headers onError:function')
    checkDelay(heartbeatMs, 'sse: heartbeatMs')
    checkOption(backpressureLimit > 0, 'sse: backpressureLimit', 'a number of bytes', backpressureLimit)
  }
  const body = openEvents(sender as Sender, heartbeatMs, backpressureLimit, onError)
  const response = streamResponse(body, 'text/event-stream', 200, headers)
  return addFields(response, FIELDS) as TypedResponse<EventStream<Event>, 200>
}

/**
 * The id of the last event that a reconnecting client has received: send the events after it.
 *
 * @returns undefined on a first connection.
 * @example
 * sse((send) => replay(lastEventId(ctx), send))
 */
export const lastEventId = (ctx: Pick<Context, 'header'>): string | undefined => {
  const id = ctx.header('last-event-id') ?? undefined
  try {
    // It is UTF-8, of which most runtimes show each byte as a character
    return id && decodeURIComponent(escape(id))
  } catch {
    return id
  }
}
