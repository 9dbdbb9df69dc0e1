import { tooLarge } from '../../internal/body/too-large.ts'

/**
 * Read and count a stream; over the limit it is cancelled. A single chunk is returned as it is. Several are copied
 * together, so that a view of a few bytes does not keep its whole block in memory. @throws {Error} 413
 */
export const readStream = async (
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  let bytes = new Uint8Array()
  if (!stream) return bytes
  const reader = stream.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size < bytes.length ? bytes.slice(0, size) : bytes
    const end = size + value.length
    if (end > limit) {
      reader.cancel().catch(() => {})
      throw tooLarge()
    }
    if (end > bytes.length) {
      const old = bytes
      bytes = size ? new Uint8Array(2 * end) : (value as Uint8Array<ArrayBuffer>)
      bytes.set(old)
    }
    if (bytes !== value) bytes.set(value, size)
    size = end
  }
}
