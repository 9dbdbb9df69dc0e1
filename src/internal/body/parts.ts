import { malformed } from './bad-form.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeUtf8 } from './decode.ts'
import { delimiterOf, type PartHeader, parsePartHeader } from './part-headers.ts'
import { tooLarge } from './too-large.ts'

/** Limits of a form. Beyond a limit, the response is 413. */
export interface FormCounts {
  /** Fields that are not files, also the pairs of an urlencoded form. @default 1000 */
  readonly fields?: number
  /** Files. @default 100 */
  readonly files?: number
  /** Size of one field of a multipart form that is not a file, in bytes. @default 1048576 */
  readonly fieldSize?: number
  /** Size of one file, in bytes. @default the limit of the body */
  readonly fileSize?: number
  /** Header fields of one part. @default 20 */
  readonly headerPairs?: number
  /** Size of the header of one part, in bytes. @default 16384 */
  readonly headerSize?: number
}

export type NextPiece = () => Promise<Uint8Array<ArrayBuffer> | undefined>

const CRLF: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10)
const DASHES: Uint8Array = /* @__PURE__ */ Uint8Array.of(45, 45)
const HEADER_END: Uint8Array = /* @__PURE__ */ Uint8Array.of(13, 10, 13, 10)

/** The parts of a form (RFC 7578). @throws {Error} 400 if it is malformed or ends too early, 413 beyond a limit */
export async function* partsOf(
  source: ByteSource,
  type: string,
  limits: FormCounts,
): AsyncGenerator<readonly [header: PartHeader, next: NextPiece], void, void> {
  const { fieldSize = 1_048_576, fileSize = Number.POSITIVE_INFINITY, headerPairs = 20, headerSize = 16_384 } = limits
  let { files = 100, fields = 1000 } = limits
  const delimiter = delimiterOf(type)
  await skip(contentOf(source, delimiter, Number.POSITIVE_INFINITY))
  while (await opensPart(source, headerSize)) {
    // The line break before the header does not belong to it, nor do the two after it
    const end = await reach(source, HEADER_END, headerSize + 2)
    const header = parsePartHeader(source.take(end + 4).subarray(2, Math.max(2, end)), headerPairs)
    const isFile = header.filename !== undefined
    if (isFile) files--
    else fields--
    if (files < 0 || fields < 0) throw tooLarge()
    const next = contentOf(source, delimiter, isFile ? fileSize : fieldSize)
    yield [header, next]
    await skip(next)
  }
}

/** Returns the bytes up to the delimiter, and consumes that too. */
const contentOf = (source: ByteSource, delimiter: Uint8Array, limit: number): NextPiece => {
  let size = 0
  let ended = false
  return async () => {
    while (!ended) {
      const end = source.find(delimiter)
      size += end
      if (size > limit) throw tooLarge()
      ended = end + delimiter.length <= source.size
      const piece = source.take(end)
      if (ended) source.take(delimiter.length)
      if (end) return piece
      if (!ended && !(await source.more())) throw malformed()
    }
    return undefined
  }
}

/** What follows a delimiter: `--` after the last part, else white space and a line break, which is not consumed. */
const opensPart = async (source: ByteSource, limit: number): Promise<boolean> => {
  while (source.size < 2) if (!(await source.more())) throw malformed()
  if (source.find(DASHES) === 0) return false
  const end = await reach(source, CRLF, limit)
  if (decodeUtf8(source.take(end)).trim()) throw malformed()
  return true
}

/** Read until the pattern is found, and return its position. Each search continues where the last one ended. */
const reach = async (source: ByteSource, pattern: Uint8Array, limit: number): Promise<number> => {
  let at = source.find(pattern)
  while (at <= limit) {
    if (at + pattern.length <= source.size) return at
    if (!(await source.more())) throw malformed()
    at = source.find(pattern, at)
  }
  throw tooLarge()
}

const skip = async (next: NextPiece): Promise<void> => {
  for (let piece = await next(); piece; piece = await next());
}

export const textOfPart = async (next: NextPiece): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await next(); piece; piece = await next()) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
