import { tooLarge } from '../../internal/body/too-large.ts'

/** Read a stream to its end and count its bytes; over the limit it is cancelled. @throws {Error} 413. */
export const readStream = async (stream: ReadableStream | null, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = stream?.getReader()
  let size = 0
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    size += value.length
    if (size > limit) {
      reader!.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(value)
  }
}
