import type { IncomingMessage } from 'node:http'
import { refusal } from '../../internal/error/refusal.ts'
import { markHandled } from '../../internal/promise/awaitable.ts'
import { isTaken } from './body.ts'

/** The properties that body parsers add to a message. */
export interface ParsedBody {
  /** The result of `express.json()` and the like. */
  readonly body?: unknown
  /** The bytes, which some hosts keep in addition to the parsed body. */
  readonly rawBody?: unknown
}

/**
 * The bytes of a body that earlier middleware has read: JSON and forms are serialised again from the parsed body.
 *
 * @returns `undefined` if nobody has read the body; a rejected promise if it is lost.
 */
export const parsedBody = (incoming: IncomingMessage & ParsedBody): Promise<Uint8Array<ArrayBuffer>> | undefined => {
  if (!isTaken(incoming)) return undefined
  const serialise = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const { body, rawBody } = incoming
    const bytes = bytesOf(rawBody) ?? bytesOf(body) ?? bytesOf(textOf(body, incoming.headers['content-type'] ?? ''))
    if (bytes) return bytes
    throw new TypeError('A Node middleware read the body without keeping it: read it earlier, or use its result')
  }
  return markHandled(serialise())
}

const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> | undefined =>
  typeof value === 'string' || value instanceof Uint8Array ? new Uint8Array(Buffer.from(value as string)) : undefined

const textOf = (body: unknown, type: string): string | undefined => {
  if (body === undefined) return undefined
  const isJson = /^[^;]*[/+]json\s*(;|$)/i.test(type)
  if (!isJson && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined
  try {
    return isJson ? JSON.stringify(body) : formOf(body)
  } catch (cause) {
    // Parsers accept deeper nesting than any function here can write
    if (cause instanceof RangeError) throw refusal(400, 'Body is nested too deeply', { cause })
    throw cause
  }
}

const formOf = (body: unknown): string => {
  const form = new URLSearchParams()
  addTo(form, '', body)
  return form.toString()
}

/** Names of nested values as `qs` reads them: `a[b]`, and `a` again for each value of a list. */
const addTo = (form: URLSearchParams, name: string, value: unknown): void => {
  if (Array.isArray(value) && value.every((item) => Object(item) !== item)) {
    for (const item of value) form.append(name, `${item}`)
  } else if (Object(value) === value) {
    for (const [key, item] of Object.entries(value as object)) addTo(form, name ? `${name}[${key}]` : key, item)
  } else form.append(name, `${value ?? ''}`)
}
