/** Whether a body is as large as asked, and the body, nothing of it lost. */
export type Peeked = readonly [large: boolean, body: ReadableStream<Uint8Array> | Uint8Array]

/** Look whether a body has so many bytes: read ahead until a stream has shown them, has ended, or has made us wait. */
export const peek = async (body: ReadableStream<Uint8Array> | Uint8Array, enough: number): Promise<Peeked> => {
  if (body instanceof Uint8Array) return [body.byteLength >= enough, body]
  const reader = body.getReader()
  const read = (): ReturnType<typeof reader.read> => {
    const reading = reader.read()
    reading.catch(() => {}) // whoever reads on gets the error; nobody may be left to
    return reading
  }
  const chunks: Uint8Array[] = []
  // A stream that is slower than this many milliseconds is live, and must not be held up
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 20))
  let reading = read()
  let size = 0
  let seen: Awaited<ReturnType<typeof read>> | undefined
  while (size < enough) {
    seen = await Promise.race([reading, late])
    if (!seen || seen.done) break
    chunks.push(seen.value)
    size += seen.value.byteLength
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
  const rest = new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
  return [!seen?.done, rest]
}
