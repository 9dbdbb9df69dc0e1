import { whole } from './response.ts'

/** `CompressionStream` and HTTP have different names for brotli. */
const encoderOf = (coding: string): CompressionStream =>
  new CompressionStream((coding === 'br' ? 'brotli' : coding) as CompressionFormat)

const supported: Record<string, boolean> = {}

/** Whether the runtime has the coding, tested once by creating a stream: workerd and Node 20 refuse brotli. */
export const canEncode = (coding: string): boolean => {
  try {
    supported[coding] ??= !!encoderOf(coding)
  } catch {
    supported[coding] = false
  }
  return supported[coding]!
}

/** The body, taken out of its response: here always a stream. */
export const takeBody = (response: Response): ReadableStream<Uint8Array> | Uint8Array | null => response.body

export const encode = (body: ReadableStream<Uint8Array> | Uint8Array, coding: string): ReadableStream =>
  (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(encoderOf(coding))

/** The response with another body, which is noted. workerd would encode it again for its header, unless told not to. */
export const withBody = (response: Response, body: Uint8Array | ReadableStream): Response => {
  const { status, statusText, headers } = response
  const init = { status, statusText, headers, encodeBody: 'manual' } as ResponseInit
  return whole(new Response(body as BodyInit, init), body)
}
