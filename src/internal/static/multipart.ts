import type { FoundFile } from '../../runtime/contract.ts'
import { toStream } from '../stream/to-stream.ts'
import type { ByteRange } from './ranges.ts'

/** A body with several parts of a file. */
export interface PartsBody {
  readonly type: string
  readonly length: number
  readonly stream: ReadableStream<Uint8Array>
}

/** Several parts of a file as one body (RFC 9110 §14.6), read one after the other. */
export const partsOf = (file: FoundFile, type: string, ranges: readonly ByteRange[]): PartsBody => {
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
      else yield* piecesOf(part)
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

/** The pieces of a stream, which is cancelled if the rest is not read. Not every runtime can iterate over streams. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
