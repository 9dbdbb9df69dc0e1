import type { IncomingMessage } from 'node:http'
import { ByteBuffer } from '../../internal/body/byte-buffer.ts'
import { decodeUtf8 } from '../../internal/body/decode.ts'
import { tooLarge } from '../../internal/body/too-large.ts'
import { truncated } from '../../internal/body/truncated.ts'
import { UNREAD } from './linger.ts'

/**
 * Read the whole body from the socket and count its bytes. Over the limit, nothing more is kept; the writer gives the
 * client a moment to finish.
 *
 * @throws {Error} 413 over the limit, 400 if the client disconnects before the end.
 */
export const collect = (incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const length = Number(incoming.headers['content-length'])
    if (limit < Number.POSITIVE_INFINITY && length > limit) return reject(tooLarge())
    if (incoming.destroyed || incoming.readableEnded) return reject(truncated())
    const bytes = new ByteBuffer()
    let settled = false
    const add = (chunk: Buffer): boolean => {
      const fits = bytes.size + chunk.length <= limit
      if (fits) bytes.add(chunk, length)
      else {
        bytes.take(bytes.size)
        reject(tooLarge())
      }
      return fits
    }
    const end = (): void => {
      if (incoming.aborted) return
      settled = true
      resolve(bytes.whole())
    }
    // Every request closes. An error, whose stack trace costs more than the rest, is created only for aborted ones.
    incoming.on('close', () => {
      if (!settled) reject(truncated())
    })
    if (isUntouched(incoming)) return collectPushed(incoming, add, end)
    const onData = (chunk: Buffer): void => {
      if (!add(chunk)) incoming.off('data', onData)
    }
    incoming.on('data', onData)
    incoming.on('end', end)
    return undefined
  })

/** Whether nobody has begun to read it, and nothing of it has arrived. */
const isUntouched = ({ httpVersionMajor, readableFlowing, readableLength, complete }: IncomingMessage): boolean =>
  httpVersionMajor === 1 && readableFlowing === null && readableLength === 0 && !complete

/**
 * Take the chunks from Node's parser, which pushes them, before the stream emits them: an event and two turns less.
 */
const collectPushed = (incoming: IncomingMessage, add: (chunk: Buffer) => boolean, resolve: () => void): void => {
  const { push } = incoming
  incoming.push = (chunk: Buffer | string | null, encoding?: BufferEncoding) => {
    // Only requests that test tools make push text
    if (chunk !== null && add(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)) return true
    incoming.push = push
    push.call(incoming, chunk)
    if (chunk === null) {
      // `resume` would do the same in a later turn
      incoming.read()
      resolve()
    } else incoming.resume()
    return true
  }
  // Else Node drops what arrives after the response was sent
  incoming.read(0)
}

/** Whether somebody has begun to read it, so that it is of no use to others. */
export const isTaken = (incoming: IncomingMessage): boolean =>
  incoming.readableDidRead || Object.hasOwn(incoming, 'push')

/** The body as a stream that reads from the socket only as fast as it is read itself. */
export const toStream = (incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> => {
  let open = true
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const stop = (error?: Error | null): void => {
          if (!open) return
          open = false
          if (error) controller.error(error)
          else controller.close()
        }
        incoming.pause()
        // Else Node drops a body that is not read before the response is sent, as if it were empty
        incoming.read(0)
        incoming.on('data', (chunk: Buffer) => {
          if (!open) return
          controller.enqueue(new Uint8Array(chunk))
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        })
        incoming.on('end', () => stop(incoming.aborted ? truncated() : null))
        incoming.on('error', (error) => stop(truncated(error)))
        incoming.on('close', () => {
          if (open) stop(truncated())
        })
        // Else it would hold back the rest, and with it the next request of the connection
        incoming.on(UNREAD, () => {
          if (isHeld(stream)) return
          stop(truncated())
          incoming.resume()
        })
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        open = false
        incoming.resume()
      },
    },
    { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  return stream
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

const forks = new WeakMap<ReadableStream, readonly ReadableStream[]>()

/** Two streams of the same content. */
export const fork = (stream: Body): [Body, Body] => {
  const both = stream.tee()
  forks.set(stream, both)
  return both
}

/** Whether somebody reads a stream, or one that it was forked into. */
const isHeld = (stream: ReadableStream): boolean => forks.get(stream)?.some(isHeld) ?? stream.locked

/** Kept bytes as a stream. */
export const streamOf = (bytes: Promise<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    async start(controller) {
      const all = await bytes
      if (all.byteLength) controller.enqueue(all.slice())
      controller.close()
    },
  })

/** The socket provides a `Buffer`, which decodes faster than a `TextDecoder`. */
export const decode = (bytes: Uint8Array): string => {
  if (!Buffer.isBuffer(bytes) || bytes.length > MAX_STRING) return decodeUtf8(bytes)
  const text = bytes.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Number of bytes that always fit into a string; beyond that, decoding may fail. */
const MAX_STRING = 2 ** 28
