export interface OpenFile {
  /** @returns how many bytes were read, 0 at the end */
  read(into: Uint8Array<ArrayBuffer>, position: number): Promise<number>
  close(): void
}

const CHUNK = 65_536

/**
 * A part of a file as a stream. The file is opened when it is first read, so that an unread response keeps none open,
 * and closed after the last byte, after an error, or when the stream is cancelled.
 */
export const fileStream = (
  open: () => Promise<OpenFile | undefined>,
  start: number,
  length: number,
): ReadableStream<Uint8Array> => {
  let file: OpenFile | undefined
  let position = start
  let ended = false
  let reading = false
  const end = (): void => {
    ended = true
    // If the file is closed during a read, its descriptor may already belong to another file
    if (reading) return
    file?.close()
    file = undefined
  }
  const readOn = async (): Promise<Uint8Array<ArrayBuffer>> => {
    reading = true
    try {
      file ??= await open()
      if (!file) throw new Error('The file was changed while it was sent')
      const bytes = new Uint8Array(Math.min(CHUNK, start + length - position))
      const count = ended ? 0 : await file.read(bytes, position)
      if (!count && !ended) throw new Error('The file became shorter while it was sent')
      return bytes.subarray(0, count)
    } finally {
      reading = false
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await readOn()
          if (ended) return end()
          position += bytes.byteLength
          controller.enqueue(bytes)
          if (position < start + length) return
          end()
          controller.close()
        } catch (error) {
          end()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
