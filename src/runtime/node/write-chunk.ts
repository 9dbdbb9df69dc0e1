import { OutgoingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'

/** Larger chunks are not copied. */
const MAX_BYTES = 16_384

/** The last chunk with its frame, because a sender with many clients writes the same bytes to each. */
let frame = Buffer.alloc(0)
let content = frame

/** RFC 9112 §7.1. */
const frameOf = (bytes: Uint8Array): Buffer => {
  // Compared by content, since the owner of the bytes may change them
  if (!content.equals(bytes)) {
    const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
    frame = Buffer.concat([size, bytes, Buffer.from('\r\n')])
    content = frame.subarray(size.length, -2)
  }
  return frame
}

/**
 * Write a chunk and its size line as one buffer; Node's own `write` makes four. The head must have been sent.
 * @returns the stream that emits `drain` when more may be written; `undefined` if more may be written now
 */
export const writeChunk = (outgoing: ServerResponse, chunk: string | Uint8Array | undefined): Writable | undefined => {
  const { socket } = outgoing
  const bytes = typeof chunk === 'string' && chunk.length <= MAX_BYTES ? Buffer.from(chunk) : chunk
  if (!socket || !bytes?.length || typeof bytes === 'string' || bytes.length > MAX_BYTES || !isPlain(outgoing, socket))
    return outgoing.write(chunk) ? undefined : outgoing
  // As in Node, so that writes of one turn are sent together
  if (!socket.writableCorked) {
    socket.cork()
    process.nextTick(uncork, socket)
  }
  return socket.write(frameOf(bytes)) ? undefined : socket
}

/** Whether `write` would only frame the bytes: HTTP/1.1 with chunks, no data held back, no `write` of a middleware. */
const isPlain = (outgoing: ServerResponse, socket: Socket): boolean =>
  outgoing.chunkedEncoding &&
  outgoing.write === OutgoingMessage.prototype.write &&
  socket.writable &&
  outgoing.writableLength === socket.writableLength

const uncork = (socket: Socket): void => socket.uncork()
