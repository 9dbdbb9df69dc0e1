import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusal } from '../../internal/error/refusal.ts'
import { mergeVary } from '../../internal/header/vary.ts'
import { markHandled } from '../../internal/promise/awaitable.ts'
import { isTaken } from './body.ts'

/** A message to which body parsers have added their result, and some hosts the bytes. */
export type ParsedMessage = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/** The bytes of a body that earlier middleware has read; `undefined` if nobody has, a rejection if they are lost. */
export const parsedBody = (incoming: ParsedMessage): Promise<Uint8Array<ArrayBuffer>> | undefined => {
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
    return isJson ? JSON.stringify(body) : `${new URLSearchParams(pairsOf(body))}`
  } catch (cause) {
    // Parsers accept deeper nesting than any function here can write
    if (cause instanceof RangeError) throw refusal(400, 'Body is nested too deeply', { cause })
    throw cause
  }
}

/** Names of nested values as `qs` reads them: `a[b]`, and `a` again for each value of a list. */
const pairsOf = (value: unknown, name = ''): [string, string][] => {
  if (Object(value) !== value) return [[name, `${value ?? ''}`]]
  if (Array.isArray(value) && value.every((item) => Object(item) !== item))
    return value.map((item) => [name, `${item}`])
  return Object.entries(value as object).flatMap(([key, item]) => pairsOf(item, name ? `${name}[${key}]` : key))
}

/**
 * Merge our headers with those that others have set. Ours win, but `set-cookie` and `vary` are combined. Each header
 * goes through `setHeader`: some versions of `on-headers`, which `compression` and `morgan` use, cannot read a list.
 */
export const joinHead = (outgoing: ServerResponse): void => {
  const { writeHead } = outgoing
  // any: the three forms of writeHead; ours are (status, fields) and (status, text, fields)
  outgoing.writeHead = (status: number, ...rest: any[]) => {
    outgoing.writeHead = writeHead
    setFields(outgoing, rest.pop())
    return writeHead.call(outgoing, status, ...rest)
  }
}

/** @param fields a list, or, on HTTP/2, a record */
export const setFields = (outgoing: ServerResponse, fields: string[] | Record<string, string | string[]>): void => {
  const values = new Map<string, string[]>()
  const add = (name: string, value: string): unknown => values.get(name)?.push(value) ?? values.set(name, [value])
  if (Array.isArray(fields))
    for (let index = 0; index < fields.length; index += 2) add(fields[index]!, fields[index + 1]!)
  else for (const [name, list] of Object.entries(fields)) for (const value of [list].flat()) add(name, value)
  for (const [name, list] of values) {
    const current = outgoing.getHeader(name)
    if (current !== undefined && name === 'set-cookie')
      outgoing.setHeader(name, [current as string | string[], list].flat())
    else if (current !== undefined && name === 'vary') {
      let vary = [current].flat().join(', ')
      for (const member of list.join(',').split(',')) vary = mergeVary(vary, member.trim())
      outgoing.setHeader(name, vary)
    } else outgoing.setHeader(name, list.length > 1 ? list : list[0]!)
  }
}
