type Body = ReadableStream<Uint8Array> | Uint8Array

/** Read ahead until a body has provided enough bytes, has ended, or is slow. Returns the complete body. */
export const peek = async (body: Body, enough: number): Promise<readonly [isLarge: boolean, body: Body]> => {
  if (body instanceof Uint8Array) return [body.byteLength >= enough, body]
  const reader = body.getReader()
  const read = (): ReturnType<typeof reader.read> => {
    const reading = reader.read()
    reading.catch(() => {}) // later readers get the error; there may be none
    return reading
  }
  const chunks: Uint8Array[] = []
  // A stream that is slower than this many milliseconds is live, and must not be delayed
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, 20))
  let reading = read()
  let size = 0
  let latest: Awaited<ReturnType<typeof read>> | undefined
  while (size < enough) {
    latest = await Promise.race([reading, timeout])
    if (!latest || latest.done) break
    chunks.push(latest.value)
    size += latest.value.byteLength
    reading = read()
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const chunk = chunks.shift()
    if (chunk) return controller.enqueue(chunk)
    const { done, value } = await reading
    if (done) return controller.close()
    reading = read()
    controller.enqueue(value)
  }
  const remaining = new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
  return [!latest?.done, remaining]
}
