import { ByteSource } from './internal/byte-source.ts'
import type { FormCounts } from './internal/form-record.ts'
import { HttpError } from './internal/http-error.ts'
import { parseMediaType } from './internal/media-type.ts'
import { delimiterOf, malformed, type PartHeader, parsePartHeader } from './internal/part-headers.ts'

/** Limits of {@link readParts}. Beyond one the request is answered with 413. */
export interface PartLimits extends FormCounts {
  /** Size of one file, in bytes. @default Infinity */
  readonly fileSize?: number
}

/** One part of a form: its header, and its content piece by piece, each byte once. */
export interface Part extends PartHeader, AsyncIterable<Uint8Array> {
  /** What is left of the content as a stream, to pipe into a store. */
  stream(): ReadableStream<Uint8Array>
  /** What is left of the content as text, UTF-8. */
  text(): Promise<string>
}

const CRLF: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10)
const DASHES: Uint8Array = /* @__PURE__ */ Uint8Array.of(45, 45)
const HEADER_END: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10, 13, 10)

/**
 * Read a `multipart/form-data` body (RFC 7578) part by part while it arrives: a file of any size needs no more memory
 * than one piece of it. The socket is read only as fast as the parts are. What a part's reader leaves is skipped.
 *
 * Takes the body: leave `form` of the body parser off for the route.
 *
 * @throws {HttpError} 415 for another content type, 400 for a body that breaks the grammar or ends too early, 413 beyond a limit.
 * @example
 * for await (const part of readParts(ctx.request, { fileSize: 10 ** 9 })) {
 *   if (part.filename !== undefined) await bucket.put(crypto.randomUUID(), part.stream())
 * }
 */
export async function* readParts(request: Request, limits: PartLimits = {}): AsyncGenerator<Part, void, void> {
  const { fieldSize = 1_048_576, fileSize = Number.POSITIVE_INFINITY, headerPairs = 20, headerSize = 16_384 } = limits
  let { files = 100, fields = 1000 } = limits
  const media = parseMediaType(request.headers.get('content-type'))
  if (media?.value !== 'multipart/form-data') throw new HttpError(415)
  const delimiter = delimiterOf(media.params.boundary)
  if (!request.body) throw malformed()
  // The first delimiter has no line break before it.
  const source = new ByteSource(request.body, CRLF)
  try {
    await skip(contentOf(source, delimiter, Number.POSITIVE_INFINITY))
    while (await opensPart(source, headerSize)) {
      const end = await reach(source, HEADER_END, headerSize)
      const header = parsePartHeader(new TextDecoder().decode(source.take(end + 4, 2)).trimEnd(), headerPairs)
      const isFile = header.filename !== undefined
      if (isFile) files--
      else fields--
      if (files < 0 || fields < 0) throw new HttpError(413)
      const next = contentOf(source, delimiter, isFile ? fileSize : fieldSize)
      yield toPart(header, next)
      await skip(next)
    }
  } finally {
    await source.cancel()
  }
}

/** Gives the next piece, nothing at the end. */
type NextPiece = () => Promise<Uint8Array | undefined>

/** The bytes up to the delimiter, which is taken too. */
const contentOf = (source: ByteSource, delimiter: Uint8Array, limit: number): NextPiece => {
  let size = 0
  let ended = false
  return async function next() {
    if (ended) return undefined
    const end = source.indexOf(delimiter)
    // The last bytes may be the start of a delimiter.
    const count = end < 0 ? source.size - delimiter.length + 1 : end
    if (count > 0) size += count
    if (size > limit) throw new HttpError(413)
    ended = end >= 0
    const piece = source.take(Math.max(0, count))
    if (ended) source.take(delimiter.length)
    if (piece.byteLength) return piece
    if (!ended && !(await source.more())) throw malformed()
    return next()
  }
}

/** What follows a delimiter: `--` after the last part, else white space and a line break, which is left (RFC 2046 §5.1.1). */
const opensPart = async (source: ByteSource, limit: number): Promise<boolean> => {
  while (source.size < 2) if (!(await source.more())) throw malformed()
  if (source.startsWith(DASHES)) return false
  const end = await reach(source, CRLF, limit)
  if (new TextDecoder().decode(source.take(end)).trim()) throw malformed()
  return true
}

/** Read until the pattern is there, and tell where. */
const reach = async (source: ByteSource, pattern: Uint8Array, limit: number): Promise<number> => {
  for (let at = source.indexOf(pattern); ; at = source.indexOf(pattern)) {
    if ((at < 0 ? source.size : at) > limit) throw new HttpError(413)
    if (at >= 0) return at
    if (!(await source.more())) throw malformed()
  }
}

const skip = async (next: NextPiece): Promise<void> => {
  for (let piece = await next(); piece; piece = await next());
}

const toPart = (header: PartHeader, next: NextPiece): Part => ({
  ...header,
  stream: () =>
    new ReadableStream({
      async pull(controller) {
        const piece = await next()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
    }),
  async text() {
    const decoder = new TextDecoder()
    let text = ''
    for (let piece = await next(); piece; piece = await next()) text += decoder.decode(piece, { stream: true })
    return text + decoder.decode()
  },
  // No `return`: who leaves the loop early leaves the part, not the form.
  [Symbol.asyncIterator]: () => ({
    async next() {
      const value = await next()
      return value ? { value, done: false } : { value: undefined, done: true }
    },
  }),
})
