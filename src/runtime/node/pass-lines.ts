import type { Readable, Writable } from 'node:stream'

/** The longest line that is buffered until its end, in bytes. */
const MAX_BYTES = 1_048_576

const NEWLINE = 10

/**
 * Pass on the output of a process in whole lines, so that lines of several processes are not mixed. A line of more than
 * a mebibyte is written in parts. The last line gets a line break if it has none.
 */
export const passLines = (from: Readable | null, to: Writable): void => {
  let pieces: Buffer[] = []
  let size = 0
  const flush = (): void => {
    to.write(Buffer.concat(pieces))
    pieces = []
    size = 0
  }
  from?.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end) {
      pieces.push(chunk.subarray(0, end))
      flush()
    }
    pieces.push(chunk.subarray(end))
    size += chunk.length - end
    if (size > MAX_BYTES) flush()
  })
  from?.on('end', () => {
    if (!size) return
    pieces.push(Buffer.from('\n'))
    flush()
  })
}
