import { createResponse } from '#runtime/response'
import type { FoundFile } from '../../runtime/contract.ts'
import type { Awaitable } from '../awaitable.ts'
import { evaluate, isSameRange, matchingTag } from '../header/conditional.ts'
import type { FieldList } from '../header/fields.ts'
import { partsOf } from './multipart.ts'
import { rangesOf } from './ranges.ts'

/** How a file is sent. */
export interface Representation {
  readonly file: FoundFile
  readonly type: string
  /** `br`, `zstd` or `gzip` if the bytes are a compressed copy. */
  readonly coding: string | undefined
  readonly tagged: boolean
  readonly cacheControl: string | undefined
  /** Request headers that the choice of the representation depends on. */
  readonly vary: string | undefined
}

/** The part of a context that is used here. */
export interface Asked {
  readonly method: string
  header(name: string): string | null
  refuse(status: number, error: string, headers?: FieldList): Awaitable<Response>
}

/**
 * Answer with a file: 200, 206, 304, 412 or 416.
 *
 * @returns `undefined` if the file has changed since it was found: look again.
 */
export const answerFile = async (asked: Asked, chosen: Representation): Promise<Response | undefined> => {
  const { file, type, coding } = chosen
  const { size, modified } = file
  const etag = chosen.tagged ? tagOf(file, coding) : undefined
  const { method, header, refuse } = asked
  const fields: Record<string, string> = { 'last-modified': new Date(modified).toUTCString() }
  if (etag) fields.etag = etag
  if (chosen.cacheControl) fields['cache-control'] = chosen.cacheControl
  if (chosen.vary) fields.vary = chosen.vary

  const status = evaluate(header, { etag, modified })
  if (status === 412) return refuse(412, 'Precondition Failed')
  if (status === 304) {
    // The tag that the client has: `compression` has weakened that of a compressed response
    if (etag) fields.etag = matchingTag(header('if-none-match') ?? '*', etag)!
    return createResponse(null, undefined, 304, fields)
  }
  fields['accept-ranges'] = 'bytes'
  if (coding) fields['content-encoding'] = coding
  // Range is defined for GET only (RFC 9110 §14.2)
  const range = method === 'GET' ? header('range') : null
  const ranges =
    range !== null && isSameRange(header('if-range'), { etag, modified }) ? rangesOf(range, size) : undefined
  if (!ranges) return whole(method, file, { ...fields, 'content-type': type })
  if (ranges.length === 0) return refuse(416, 'Range Not Satisfiable', ['content-range', `bytes */${size}`])
  if (ranges.length > 1) {
    const parts = partsOf(file, type, ranges)
    return send(206, parts.stream, { ...fields, 'content-type': parts.type }, parts.length)
  }
  const { first, last } = ranges[0]!
  const body = await file.read(first, last - first + 1)
  const range206 = { ...fields, 'content-type': type, 'content-range': `bytes ${first}-${last}/${size}` }
  return body && send(206, body, range206, last - first + 1)
}

const whole = async (
  method: string,
  file: FoundFile,
  fields: Record<string, string>,
): Promise<Response | undefined> => {
  if (method === 'HEAD') return send(200, null, fields, file.size)
  const body = await file.read(0, file.size)
  return body && send(200, body, fields, file.size)
}

const send = (
  status: number,
  body: Uint8Array | ReadableStream | null,
  fields: Record<string, string>,
  length: number,
): Response => createResponse(body, undefined, status, { ...fields, 'content-length': `${length}` })

/**
 * Size, modification time and coding: a tag identifies one representation. Strong, so that downloads can be resumed.
 */
const tagOf = ({ size, modified }: FoundFile, coding: string | undefined): string =>
  `"${size.toString(16)}-${Math.round(modified * 1000).toString(16)}${coding ? `-${coding}` : ''}"`
