/**
 * Read a body whole, if it is within a limit.
 *
 * @returns the bytes, or the body as a stream with nothing lost if it is longer, or fails
 */
export const collect = async (
  body: ReadableStream<Uint8Array> | Uint8Array,
  limit: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> => {
  if (body instanceof Uint8Array) return body
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= limit) {
    try {
      const { done, value } = await reader.read()
      if (done) return joined(chunks, size)
      chunks.push(value)
      size += value.byteLength
    } catch {
      // The next read fails again
      break
    }
  }
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks.shift()
        if (chunk) return controller.enqueue(chunk)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
