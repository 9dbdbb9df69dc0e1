import { HttpError } from './http-error.ts'

/** Codings that every platform can undo (RFC 9110 §8.4.1). */
const FORMATS: readonly string[] = ['gzip', 'deflate']

/**
 * Undo the coding of a body while counting what comes out, so that a small body cannot fill the memory.
 *
 * @throws {HttpError} 415 for a coding that cannot be undone, 413 over the limit, 400 for bytes that are not of this coding.
 */
export const inflate = async (
  bytes: Uint8Array<ArrayBuffer>,
  coding: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (!FORMATS.includes(coding)) throw unsupported()
  // A blob streams in pieces, so the platform never inflates all of it at once.
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(coding as CompressionFormat))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value)
      size += read.value.byteLength
      if (size > limit) break
    }
  } catch (cause) {
    throw new HttpError(400, 'Invalid body', { cause })
  }
  if (size <= limit) return new Uint8Array(await new Blob(chunks).arrayBuffer())
  reader.cancel().catch(() => {})
  throw new HttpError(413)
}

/** The answer names what would be understood (RFC 9110 §15.5.16). */
export const unsupported = (accepted: string = FORMATS.join(', ')): HttpError =>
  new HttpError(415, undefined, { headers: ['accept-encoding', accepted] })
