import { checkWhole } from '../internal/options/check.ts'
import { createEventParser } from '../internal/sse/event-parser.ts'
import { isEvents } from '../internal/stream/closing.ts'
import { checkDelay } from '../internal/time/delay.ts'
import { pause } from '../internal/time/pause.ts'
import type { CallArguments, Fields, RoutesByMethod } from './types.ts'
import { ClientError } from './unwrap.ts'

/** An event of the server, with the names and data types of `ctx.sse<Event>`. */
export interface ReceivedEvent<out Name extends string = string, out Output = unknown> {
  /** Name of the event; `message` if the server sent none. */
  readonly event: Name
  /** The data, as text. */
  readonly data: string
  /** The last id that the server has sent; empty if there is none. */
  readonly id: string
  /** The text parsed as JSON; `never` for a string, which is in `data`. @throws {SyntaxError} if it is not JSON. */
  json(): Output
}

/** The events that a route sends. */
export type ReceivedFrom<X> = X extends { readonly reply: infer Replies }
  ? [SentEvents<Replies>] extends [never]
    ? ReceivedEvent
    : SentEvents<Replies>
  : ReceivedEvent

type SentEvents<X> = X extends { readonly status: 200; json(): Promise<{ readonly events: infer Event }> }
  ? EventOf<Event>
  : never

type EventOf<Event> = Event extends { readonly data: infer Output }
  ? ReceivedEvent<
      Event extends { readonly event: infer Name extends string } ? Name : NameOf<Event>,
      Exclude<Output, string>
    >
  : never

type NameOf<Event> = Event extends { readonly event?: string } ? string : 'message'

/** Options of {@link events}, in addition to the input of the route. */
export interface EventOptions {
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal | undefined
  /** Id to continue after, from an earlier run. @default none */
  readonly lastEventId?: string
  /** Delay before reconnecting, in milliseconds, unless the server sets another. @default 3000 */
  readonly retryMs?: number
  /** Longest delay, in milliseconds. @default 30000 */
  readonly maxRetryMs?: number
  /** Maximum number of characters of one event. @default 1048576 */
  readonly limit?: number
  /** Waits for the delay; it may end early when the signal aborts. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

type EventArguments<X> =
  CallArguments<X> extends [infer Init]
    ? [init: Init & EventOptions]
    : [init?: (X extends { readonly init: infer Init } ? Init : object) & EventOptions]

/** A proxy sends these while its server is being replaced. */
const TEMPORARY_STATUSES = [429, 502, 503, 504]

const MIN_RETRY_MS = 100

/**
 * Server-sent events as an async iterator that reconnects when the connection is lost, and continues after the last
 * event with `Last-Event-ID` (WHATWG HTML §9.2). Leave the loop, or abort the signal, to close the connection.
 *
 * The delay doubles with each consecutive failure, from 100 ms at least. The loop ends when the server responds with
 * 204. Once connected, it also retries after 429, 502, 503 and 504, which a browser's `EventSource` does not.
 *
 * @throws {ClientError} for any other status, and for a response that is not an event stream; its `body` is the text,
 * at most `limit` characters.
 * @throws {RangeError} for an event that is larger than the limit.
 * @throws what `fetch` throws, if the first connection fails.
 * @example
 * for await (const event of events(api, '/prices')) console.log(event.json())
 */
export async function* events<T, const P extends keyof T & string>(
  api: RoutesByMethod<{ readonly GET: T }>,
  path: P,
  ...[init]: EventArguments<T[P]>
): AsyncGenerator<ReceivedFrom<T[P]>, void, undefined> {
  const options = (init ?? {}) as EventOptions & { readonly headers?: Fields }
  const { lastEventId = '', retryMs = 3000, maxRetryMs = 30_000, limit = 1_048_576, sleep = pause, ...call } = options
  checkDelay(retryMs, 'events: retryMs')
  checkDelay(maxRetryMs, 'events: maxRetryMs')
  checkWhole(limit, 'events: limit', 'characters')
  const { signal } = call
  const { get } = api as { get(path: string, init: object): Promise<Response> }
  const ending = new AbortController()
  const end = (): void => ending.abort()
  signal?.addEventListener('abort', end)
  let id = lastEventId
  let wait = retryMs
  let failures = 0
  let connected = false

  const connect = async (): Promise<Response | undefined> => {
    // In UTF-8, as from browsers: `fetch` takes one character for each byte
    const bytes = unescape(encodeURIComponent(id))
    const headers = { ...call.headers, accept: 'text/event-stream', 'last-event-id': bytes || undefined }
    try {
      return await get(path, { ...call, headers, signal: ending.signal })
    } catch (error) {
      if (connected || ending.signal.aborted) return undefined
      throw error
    }
  }
  try {
    while (!signal?.aborted) {
      const response = await connect()
      // An unread body would keep its connection
      if (response && connected && TEMPORARY_STATUSES.includes(response.status))
        void response.body?.cancel().catch(() => {})
      else if (response) {
        if (response.status === 204) return
        if (response.status !== 200 || !isEvents(response.headers.get('content-type'))) {
          let text = ''
          // The body of a refusal may be endless
          for await (const more of textOf(response, ending.signal)) {
            text += more
            if (text.length >= limit) break
          }
          if (ending.signal.aborted) return
          throw new ClientError(response.status, text.slice(0, limit))
        }
        connected = true
        const parser = createEventParser(limit, id)
        for await (const text of textOf(response, ending.signal)) {
          for (const event of parser.feed(text)) {
            if (ending.signal.aborted) return
            failures = 0
            yield { ...event, json: () => JSON.parse(event.data) } as ReceivedFrom<T[P]>
          }
          id = parser.id
          wait = parser.retry ?? wait
        }
      }
      // A server may ask for no delay, but failures are never retried without one
      const least = failures ? Math.max(wait, MIN_RETRY_MS) : wait
      if (!signal?.aborted) await sleep(Math.min(maxRetryMs, least * 2 ** failures++), signal)
    }
  } finally {
    signal?.removeEventListener('abort', end)
    ending.abort()
  }
}

/** The text of a body as it arrives. It ends with the connection, or with the signal, which `fetch` may ignore. */
async function* textOf({ body }: Response, ending: AbortSignal): AsyncGenerator<string, void, undefined> {
  if (!body) return
  const reader = body.getReader()
  const cancel = () => reader.cancel().catch(() => {})
  ending.addEventListener('abort', cancel)
  if (ending.aborted) cancel()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    ending.removeEventListener('abort', cancel)
    await cancel()
  }
}
