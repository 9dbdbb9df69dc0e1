import { addFields, createResponse } from '#runtime/core'
import type { FoundFile } from '../../runtime/contract.ts'
import { evaluate, isSameRange, matchingTag } from '../header/conditional.ts'
import type { FieldList } from '../header/fields.ts'
import { toStream } from '../stream/to-stream.ts'
import type { Awaitable, Context } from '../types/context.ts'

export interface Representation {
  readonly file: FoundFile
  readonly type: string
  /** `br`, `zstd` or `gzip` if the bytes are a compressed copy. */
  readonly coding: string | undefined
  readonly tagged: boolean
  readonly cacheControl: string
  /** Request headers that the choice of the representation depends on. */
  readonly vary: string | undefined
}

/** Respond with a file: 200, 206, 304, 412 or 416; `undefined` if it has changed since it was found: look again. */
export const respondWithFile = async (
  ctx: Context,
  { file, type, coding, tagged, cacheControl, vary }: Representation,
  refuse: (status: number, error: string, headers?: FieldList) => Awaitable<Response>,
): Promise<Response | undefined> => {
  const { size, modified, version } = file
  const header = (name: string): string | null => ctx.header(name)
  // Strong, so that downloads can be resumed. The coding is part of it: a tag identifies one representation
  const etag = tagged ? `"${version}${coding ? `-${coding}` : ''}"` : undefined
  const fields = ['last-modified', file.date, 'cache-control', cacheControl]
  if (vary) fields.push('vary', vary)
  const status = evaluate(header, { etag, modified })
  if (status === 412) return refuse(412, 'Precondition Failed')
  if (status === 304) {
    // The tag that the client has: `compression` has weakened that of a compressed response
    if (etag) fields.push('etag', matchingTag(header('if-none-match') ?? '', etag) ?? etag)
    return respond(304, null, fields)
  }
  if (etag) fields.push('etag', etag)
  fields.push('accept-ranges', 'bytes')
  if (coding) fields.push('content-encoding', coding)
  // Range is defined for GET only (RFC 9110 §14.2)
  const range = ctx.method === 'GET' ? header('range') : null
  const ranges =
    range !== null && isSameRange(header('if-range'), { etag, modified }) ? rangesOf(range, size) : undefined
  if (!ranges) {
    const body = ctx.method === 'HEAD' ? null : await file.read(0, size)
    if (body === undefined) return undefined
    return respond(200, body, [...fields, 'content-type', type, 'content-length', `${size}`])
  }
  if (ranges.length === 0) return refuse(416, 'Range Not Satisfiable', ['content-range', `bytes */${size}`])
  if (ranges.length > 1) {
    const parts = partsOf(file, type, ranges)
    return respond(206, parts.stream, [...fields, 'content-type', parts.type, 'content-length', `${parts.length}`])
  }
  const { first, last } = ranges[0]!
  const length = last - first + 1
  const body = await file.read(first, length)
  fields.push('content-type', type, 'content-range', `bytes ${first}-${last}/${size}`, 'content-length', `${length}`)
  return body && respond(206, body, fields)
}

/** All names and values are ours, or were checked with the options. */
const respond = (status: number, body: Uint8Array | ReadableStream | null, fields: FieldList): Response =>
  addFields(createResponse(body, undefined, status), fields)

/** Several parts of a file as one body (RFC 9110 §14.6), read one after the other. */
const partsOf = (file: FoundFile, type: string, ranges: readonly ByteRange[]) => {
  const boundary = crypto.randomUUID()
  const heads = ranges.map(
    ({ first, last }) =>
      `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: bytes ${first}-${last}/${file.size}\r\n\r\n`,
  )
  const end = `\r\n--${boundary}--\r\n`
  const bytes = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  async function* body(): AsyncGenerator<string | Uint8Array> {
    for (const [at, { first, last }] of ranges.entries()) {
      yield heads[at]!
      const part = await file.read(first, last - first + 1)
      if (!part) throw new Error('The file was changed while it was sent')
      if (part instanceof Uint8Array) yield part
      else yield* part
    }
    yield end
  }
  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    // The part headers are ASCII: a character is a byte
    length: heads.join('').length + bytes + end.length,
    stream: toStream(body()),
  }
}

/** A part of a file: the first and the last byte, inclusive. */
interface ByteRange {
  readonly first: number
  readonly last: number
}

/** No player requests more parts. Each costs a read and part headers. */
const MAX_RANGES = 100

/** `0-499`, `500-`, `-500`. */
const RANGE = /^(\d*)-(\d*)$/

/**
 * The parts that a `Range` asks for (RFC 9110 §14.1.2): none if the file has none of them, `undefined` if the header
 * must be ignored: another unit, a syntax error, too many parts, or parts that are longer than the file in total.
 */
const rangesOf = (field: string, size: number): ByteRange[] | undefined => {
  const [unit, set] = field.split('=', 2) as [string, string | undefined]
  if (unit.trim().toLowerCase() !== 'bytes' || set === undefined) return undefined
  const members = set.split(',').map((member) => member.trim())
  if (members.length > MAX_RANGES) return undefined
  const ranges: ByteRange[] = []
  let total = 0
  for (const member of members) {
    if (!member) continue
    const [, from, to] = RANGE.exec(member) ?? []
    if (!(from || to) || (from && to && Number(from) > Number(to))) return undefined
    const first = from ? Number(from) : Math.max(0, size - Number(to))
    const last = from && to ? Math.min(Number(to), size - 1) : size - 1
    // An empty file has no first byte to send, and is sent whole
    if (first > last && first === 0) return undefined
    if (first > last) continue
    ranges.push({ first, last })
    total += last - first + 1
  }
  return total > size || !members.some(Boolean) ? undefined : ranges
}
