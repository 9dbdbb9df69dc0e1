import { HIDDEN, isSecretName, withoutSecretParts } from '../secrets.ts'

/** A body of a request or a response. */
export interface Body {
  readonly type: string
  /** Its beginning, if it is text; all of it, if {@link size} is not larger. */
  readonly chunks: readonly Uint8Array[]
  readonly size: number
}

/** The body of a response. A stream grows while the client reads it. */
export interface Answer extends Body {
  readonly chunks: Uint8Array[]
  size: number
  /** When a stream ended, by `performance.now()`; undefined while it is open. */
  end?: number
  /** True if it was sent in parts: its end comes later than the response. */
  readonly streams: boolean
}

/** Maximum size of a body that is kept, in bytes, and of its text that is shown, in characters. */
export const MAX_BODY = 65_536
const MAX_TEXT = 4000

/** Bodies of responses that are kept. */
const TEXT =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:javascript|x-www-form-urlencoded)\b)/i

const EVENTS = /^text\/event-stream\b/i

/**
 * Follow the body of a response: its size, and its beginning if it is text.
 *
 * @returns the followed body, and the response to send: for a stream a new one, which counts what the client reads
 */
export const followBody = (response: Response): { readonly answer: Answer; readonly response: Response } => {
  const { headers, status, statusText } = response
  const type = headers.get('content-type') ?? ''
  // A response of sluice knows whether it has a stream; that of the platform makes one of everything
  const { stream = response.body } = response as { stream?: Response['body'] } & Response
  const answer: Answer = { type, chunks: [], size: 0, streams: stream !== null }
  const isKept = TEXT.test(type) && !headers.has('content-encoding')
  const add = (chunk: unknown): void => {
    // Writing anything else is an error of the application
    if (!(chunk instanceof Uint8Array)) return
    const room = isKept ? MAX_BODY - answer.size : 0
    if (room > 0) answer.chunks.push(chunk.slice(0, room))
    answer.size += chunk.byteLength
  }
  if (stream !== null)
    return { answer, response: new Response(counted(stream, answer, add), { headers, status, statusText }) }
  const readAll = async (): Promise<void> => add(new Uint8Array(await response.clone().arrayBuffer()))
  void readAll().catch(() => {})
  return { answer, response }
}

/** The same stream, which counts what is read. Nothing is read ahead of the client. */
const counted = (stream: ReadableStream<Uint8Array>, answer: Answer, add: (chunk: unknown) => void) => {
  const reader = stream.getReader()
  const end = (): void => {
    answer.end ??= performance.now()
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read()
          if (!done) add(value)
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        end()
      },
      cancel: (reason) => {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** True if there is a text to show. */
export const isText = ({ type, chunks, size }: Body): boolean => (size === 0 ? TEXT.test(type) : chunks.length > 0)

/** A body as text, without the values of secrets. */
export const textOfBody = ({ type, chunks, size }: Body): string => {
  if (!TEXT.test(type)) return `(${size} bytes of ${type || 'no type'})`
  const isEvents = EVENTS.test(type)
  // A part of JSON would show secrets in it
  if (size > MAX_BODY && !isEvents) return '(too long)'
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  const shown = isEvents
    ? text.replace(/^(data: ?)(.*)$/gm, (_, name: string, value: string) => name + shownText(value))
    : /\bx-www-form-urlencoded\b/i.test(type)
      ? [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${hidden(name, value)}`).join('\n')
      : shownText(text, 2)
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown
}

const hidden = (name: string, value: unknown): unknown =>
  isSecretName(name) ? HIDDEN : typeof value === 'string' ? withoutSecretParts(value) : value

/** JSON also in a text of another type, and any other text as it is. */
const shownText = (text: string, indent?: number): string => {
  try {
    return JSON.stringify(JSON.parse(text, hidden), null, indent)
  } catch {
    return withoutSecretParts(text)
  }
}
