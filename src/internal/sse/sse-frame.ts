import { DEV } from '#mode'
import { oneLine } from '../header/one-line.ts'
import { checkOption } from '../options/check.ts'

/** One message of an event stream. */
export interface ServerSentEvent {
  /** A string, or any JSON value. */
  readonly data: unknown
  /** Name of the event. @default 'message' on the client */
  readonly event?: string
  /** Id that the client repeats in `Last-Event-ID` when it reconnects. */
  readonly id?: string
  /** How long the client waits before it reconnects, in milliseconds. */
  readonly retry?: number
}

/** Each of these ends a line for the client, so a lone CR is as dangerous as LF (WHATWG HTML §9.2.5). */
const LINE_END = /\r\n|\r|\n/g

/** @throws {TypeError} for a line break or NUL in `event` or `id`, and a `retry` that is not an integer. */
export const frame = (message: ServerSentEvent): string => {
  if (DEV) checkOption(Object(message) === message, 'sse: send', 'an object with data', message)
  const { data, event, id, retry } = message
  let lines = ''
  if (event !== undefined) lines += field('event', oneLine('sse: event', event))
  if (id !== undefined) lines += field('id', oneLine('sse: id', id))
  if (DEV && retry !== undefined)
    checkOption(Number.isInteger(retry) && retry >= 0, 'sse: retry', 'a whole number of milliseconds', retry)
  // A line break cannot leave its field
  if (retry !== undefined) lines += field('retry', `${retry}`)
  const content = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null')
  return `${lines}${field('data', content)}\n`
}

export const commentFrame = (text: string): string => `${field('', text)}\n`

const field = (name: string, text: string): string => `${name}: ${text.replace(LINE_END, `\n${name}: `)}\n`

const encoder = /* @__PURE__ */ new TextEncoder()

/** Larger events are not kept. */
const MAX_BYTES = 16_384

let last: ServerSentEvent = { data: undefined }
let lastBytes: Uint8Array = /* @__PURE__ */ new Uint8Array()

/**
 * The bytes of {@link frame}, which must not be changed: those of the last event are kept, because a sender with many
 * clients sends the same event to each. Only strings and numbers are compared: an object may have changed.
 */
export const encodeEvent = (message: ServerSentEvent): Uint8Array => {
  if (Object(message) !== message) return encoder.encode(frame(message))
  const { data, event, id, retry } = message
  if (lastBytes.length && data === last.data && event === last.event && id === last.id && retry === last.retry)
    return lastBytes
  const copy = { data, event, id, retry } as ServerSentEvent
  const bytes = encoder.encode(frame(copy))
  if (typeof data === 'string' && Object(event) !== event && Object(id) !== id && bytes.length <= MAX_BYTES) {
    last = copy
    lastBytes = bytes
  }
  return bytes
}
