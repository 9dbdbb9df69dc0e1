import { toStream } from '../../internal/stream/to-stream.ts'

export interface OpenFile {
  /** @returns how many bytes were read, 0 at the end */
  read(into: Uint8Array<ArrayBuffer>, position: number): Promise<number>
  close(): void
}

const CHUNK = 65_536

/**
 * A part of a file as a stream. The file is opened when it is first read, so that an unread response keeps none open,
 * and closed after the last byte, after an error, or when the stream is cancelled, but never during a read: its
 * descriptor may already belong to another file then.
 */
export const fileStream = (
  open: () => Promise<OpenFile | undefined>,
  start: number,
  length: number,
): ReadableStream<Uint8Array> => toStream(chunksOf(open, start, start + length))

async function* chunksOf(
  open: () => Promise<OpenFile | undefined>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  const file = await open()
  if (!file) throw new Error('The file was changed while it was sent')
  let last: Uint8Array
  try {
    for (let position = start; ; ) {
      const bytes = new Uint8Array(Math.min(CHUNK, end - position))
      const count = await file.read(bytes, position)
      if (!count) throw new Error('The file became shorter while it was sent')
      position += count
      last = bytes.subarray(0, count)
      if (position >= end) break
      yield last
    }
  } finally {
    file.close()
  }
  // A client that has its length may read no further
  yield last
}
