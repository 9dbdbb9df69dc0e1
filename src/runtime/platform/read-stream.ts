import { ByteBuffer } from '../../internal/body/byte-buffer.ts'
import { tooLarge } from '../../internal/body/too-large.ts'
import { dropRest } from '../../internal/stream/drop-rest.ts'

/** Read and count a stream; over the limit it is cancelled. @throws {Error} 413 */
export const readStream = async (
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new ByteBuffer()
  if (!stream) return bytes.whole()
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes.whole()
    if (bytes.size + value.length > limit) {
      dropRest(reader)
      throw tooLarge()
    }
    bytes.add(value)
  }
}
