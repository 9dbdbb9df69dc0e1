import type { IncomingMessage } from 'node:http'
import { ByteBuffer } from '../../internal/body/byte-buffer.ts'
import { decodeUtf8 } from '../../internal/body/decode.ts'
import { tooLarge } from '../../internal/body/too-large.ts'
import { truncated } from '../../internal/body/truncated.ts'
import { READ } from './continue.ts'

/**
 * Read the whole body from the socket and count its bytes. Over the limit, nothing more is kept; the writer gives the
 * client a moment to finish.
 *
 * @throws {Error} 413 over the limit, 400 if the client disconnects before the end, or nothing is kept for this reader.
 */
export const collect = (incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const length = Number(incoming.headers['content-length'])
    if (limit < Number.POSITIVE_INFINITY && length > limit) return reject(tooLarge())
    const lost = lostReason(incoming)
    if (lost) return reject(truncated(lost))
    incoming.emit(READ)
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
    const close = (): void => {
      if (settled) return
      const rest = restOf(incoming)
      // An error, whose stack trace costs more than the rest, is created only for aborted requests.
      if (rest === undefined) reject(truncated(clientLeft()))
      else if (!rest || add(rest)) resolve(bytes.whole())
    }
    if (incoming.destroyed) return close()
    // Every request closes.
    incoming.on('close', close)
    const onData = (chunk: Buffer): void => {
      if (!add(chunk)) incoming.off('data', onData)
    }
    incoming.on('data', onData)
    incoming.on('end', end)
    return undefined
  })

export const clientLeft = (): Error => new Error('The client disconnected before its body was complete')

export const responseSent = (): Error => new Error('The response was sent before the body was read')

/** Why the body cannot be read, if so: it is dropped after the response was sent, and when the client disconnected. */
export const lostReason = (incoming: IncomingMessage): Error | undefined => {
  const { readableEnded, readableFlowing, readableDidRead, destroyed, aborted } = incoming
  const dropped = readableEnded || (readableFlowing && !incoming.listenerCount('data'))
  if (dropped && !aborted) return responseSent()
  return dropped || (destroyed && (readableDidRead || !isWhole(incoming))) ? clientLeft() : undefined
}

/** HTTP/2 reports every closed message as complete, and keeps nothing of it. */
const isWhole = ({ httpVersionMajor, complete }: IncomingMessage): boolean => httpVersionMajor === 1 && complete

/** The rest of a body that arrived whole before its client left: Node keeps it, but emits nothing more of it. */
export const restOf = (incoming: IncomingMessage): Buffer | null | undefined =>
  isWhole(incoming) ? incoming.read() : undefined

/** A message, and whether we have begun to read its body past its stream. */
type Message = IncomingMessage & { '~taken'?: boolean }

/** Whether a reader has begun, so that other readers cannot use it. */
export const isTaken = (incoming: Message): boolean => incoming.readableDidRead || incoming['~taken'] === true

/** Take a body that has come with its head past the stream. */
export const markTaken = (incoming: Message): void => {
  incoming['~taken'] = true
}

/** End a message whose body was taken. */
export const endTaken = (incoming: IncomingMessage): boolean => {
  incoming.read(0)
  incoming.push(null)
  incoming.read()
  return true
}

/** The most bytes that Node reads at once: a longer body never comes in one piece with its head. */
export const READ_SIZE = 65_536

/** The socket provides a `Buffer`, which decodes faster than a `TextDecoder`. */
export const decode = (bytes: Uint8Array): string => {
  if (!Buffer.isBuffer(bytes) || bytes.length > MAX_STRING) return decodeUtf8(bytes)
  const text = bytes.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Number of bytes that always fit into a string; beyond that, decoding may fail. */
const MAX_STRING = 2 ** 28
