/** One message of an event stream. */
export interface ServerSentEvent {
  /** Text, or anything that JSON can hold. */
  readonly data: unknown
  /** Name of the event. @default 'message' on the client */
  readonly event?: string
  /** Id that the client repeats in `Last-Event-ID` when it reconnects. */
  readonly id?: string
  /** How long the client waits before it reconnects, in milliseconds. */
  readonly retry?: number
}

/** Each of these ends a line for the client, so a lone CR is as dangerous as LF (WHATWG HTML §9.2.5). */
const LINE_END = /\r\n|\r|\n/

/**
 * Encode one event.
 *
 * @throws {TypeError} for a line break or NUL in `event` or `id`, and a `retry` that is no whole number.
 * @example
 * frame({ event: 'tick', data: { n: 1 } }) // 'event: tick\ndata: {"n":1}\n\n'
 */
export const frame = ({ data, event, id, retry }: ServerSentEvent): string => {
  let lines = ''
  if (event !== undefined) lines += `event: ${oneLine('event', event)}\n`
  if (id !== undefined) lines += `id: ${oneLine('id', id)}\n`
  if (retry !== undefined) {
    if (!Number.isInteger(retry) || retry < 0) throw new TypeError(`retry: ${retry} is not a whole number`)
    lines += `retry: ${retry}\n`
  }
  const content = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'null')
  for (const line of content.split(LINE_END)) lines += `data: ${line}\n`
  return `${lines}\n`
}

/** A comment: the client ignores it, whatever it says. */
export const comment = (text: string): string =>
  `${text
    .split(LINE_END)
    .map((line) => `: ${line}\n`)
    .join('')}\n`

const oneLine = (field: string, value: string): string => {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`${field}: ${JSON.stringify(value)} holds a line break`)
  return value
}
