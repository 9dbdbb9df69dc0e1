import { malformed } from '../internal/body/bad-form.ts'
import { ByteSource } from '../internal/body/byte-source.ts'
import { lastSegment } from '../internal/body/form-record.ts'
import { parametersOf } from '../internal/body/parameters.ts'
import type { PartHeader } from '../internal/body/part-headers.ts'
import { type FormCounts, type NextPiece, partsOf, textOfPart } from '../internal/body/parts.ts'
import { bodyStream } from '../internal/body/read-body.ts'
import { refusal } from '../internal/error/refusal.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'

/** Limits of {@link readParts}. Beyond a limit, the response is 413. */
export interface PartLimits extends FormCounts {
  /** Size of one file, in bytes. @default Infinity */
  readonly fileSize?: number
}

/** One part of a form: its headers, and its content piece by piece, which can be read once. */
export interface Part extends PartHeader, AsyncIterable<Uint8Array> {
  /** Last segment of the file name that the client sent, without control characters; `undefined` for a field. */
  readonly filename: string | undefined
  /** The rest of the content as a stream, to pipe into a store. */
  stream(): ReadableStream<Uint8Array>
  /** The rest of the content as UTF-8 text. */
  text(): Promise<string>
}

/**
 * Read a `multipart/form-data` body (RFC 7578) part by part as it arrives: a file of any size needs only the memory of
 * one piece. The socket is read as fast as you read the parts. Content that you do not read is skipped.
 *
 * Consumes the body, unless it was read before: turn off `form` of the body parser for the route.
 *
 * @throws {TypeError} for a limit that is unknown or not a number from 0.
 * @throws {Error} with `status` 415 for another content type, 400 for a malformed or incomplete body, 413 above limits.
 * @example
 * for await (const part of readParts(ctx.request, { fileSize: 10 ** 9 })) {
 *   if (part.filename !== undefined) await bucket.put(crypto.randomUUID(), part.stream())
 * }
 */
export async function* readParts(request: Request, limits: PartLimits = {}): AsyncGenerator<Part, void, void> {
  checkNames('readParts', limits, 'fields files fieldSize fileSize headerPairs headerSize')
  for (const [name, value] of Object.entries(limits))
    checkOption(value === undefined || value >= 0, `readParts: ${name}`, 'a number from 0', value)
  const type = request.headers.get('content-type') ?? ''
  if (!parametersOf(type, 'multipart/form-data')) throw refusal(415, 'Unsupported Media Type')
  const body = await bodyStream(request)
  if (!body) throw malformed()
  const source = new ByteSource(body)
  try {
    for await (const [header, next] of partsOf(source, type, limits)) yield toPart(header, next)
  } finally {
    source.cancel()
  }
}

const toPart = (header: PartHeader, next: NextPiece): Part => ({
  ...header,
  filename: header.filename === undefined ? undefined : lastSegment(header.filename),
  stream: () =>
    new ReadableStream({
      async pull(controller) {
        const piece = await next()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
    }),
  text: () => textOfPart(next),
  // Who leaves a loop early may read the rest in another one
  async *[Symbol.asyncIterator]() {
    for (let piece = await next(); piece; piece = await next()) yield piece
  },
})
