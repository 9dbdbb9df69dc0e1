/** `CompressionStream` has another name for brotli than HTTP has. */
const encoderOf = (coding: string): CompressionStream =>
  new CompressionStream((coding === 'br' ? 'brotli' : coding) as CompressionFormat)

/** What was found out so far, of the few codings that there are. */
const known: Record<string, boolean> = {}

/** Whether the runtime has the coding, found out once by making one: workerd and Node 20 refuse brotli. */
export const canEncode = (coding: string): boolean => {
  try {
    known[coding] ??= !!encoderOf(coding)
  } catch {
    known[coding] = false
  }
  return known[coding]!
}

/** The body, taken out of its response: here always a stream. */
export const takeBody = (response: Response): ReadableStream<Uint8Array> | Uint8Array | null => response.body

/** The body in a coding. */
export const encode = (body: ReadableStream<Uint8Array> | Uint8Array, coding: string): ReadableStream =>
  (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(encoderOf(coding))

/** The response with another body. workerd would encode it once more by its header, unless told that this is done. */
export const withBody = (response: Response, body: Uint8Array | ReadableStream): Response => {
  const { status, statusText, headers } = response
  return new Response(body as BodyInit, { status, statusText, headers, encodeBody: 'manual' } as ResponseInit)
}
