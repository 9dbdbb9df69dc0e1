import type { IncomingMessage } from 'node:http'
import { ByteBuffer } from '../../internal/body/byte-buffer.ts'
import { decodeUtf8 } from '../../internal/body/decode.ts'
import { tooLarge } from '../../internal/body/too-large.ts'
import { truncated } from '../../internal/body/truncated.ts'
import { READ } from './exchange.ts'

/** Read the whole body. @throws {Error} 413 over the limit; 400 if the client disconnects, or the body was dropped */
export const collect = (incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const length = Number(incoming.headers['content-length'])
    if (limit < Number.POSITIVE_INFINITY && length > limit) return reject(tooLarge())
    const lost = lostReason(incoming)
    if (lost) return reject(lost)
    incoming.emit(READ)
    const bytes = new ByteBuffer()
    let ended = false
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
      ended = true
      resolve(bytes.whole())
    }
    const close = (): void => {
      if (ended) return
      const rest = restOf(incoming)
      // Not created earlier: the stack trace of an error costs more than the rest
      if (rest === undefined) reject(clientLeft())
      else if (!rest || add(rest)) resolve(bytes.whole())
    }
    if (incoming.destroyed) return close()
    incoming.on('close', close)
    const onData = (chunk: Buffer): void => {
      if (!add(chunk)) incoming.off('data', onData)
    }
    incoming.on('data', onData)
    incoming.on('end', end)
    return undefined
  })

export const clientLeft = (cause: Error = new Error('The client disconnected before its body was complete')): Error =>
  truncated(cause)

export const responseSent = (): Error => truncated(new Error('The response was sent before the body was read'))

/** Why the body cannot be read: Node drops it after the response was sent, and when the client has disconnected. */
export const lostReason = (incoming: IncomingMessage): Error | undefined => {
  const { readableEnded, readableFlowing, readableDidRead, destroyed, aborted } = incoming
  const dropped = readableEnded || (readableFlowing && !incoming.listenerCount('data'))
  if (dropped && !aborted) return responseSent()
  return dropped || (destroyed && (readableDidRead || !isWhole(incoming))) ? clientLeft() : undefined
}

/** HTTP/2 reports each closed message as complete, but keeps nothing of it. */
const isWhole = ({ httpVersionMajor, complete }: IncomingMessage): boolean => httpVersionMajor === 1 && complete

/** The rest of a body that arrived whole before its client left. Node keeps it, but does not emit it. */
export const restOf = (incoming: IncomingMessage): Buffer | null | undefined =>
  isWhole(incoming) ? incoming.read() : undefined

type Message = IncomingMessage & { '~taken'?: boolean }

/** Whether a reader has begun to read the body, by the stream of the message or past it. */
export const isTaken = (incoming: Message): boolean => incoming.readableDidRead || incoming['~taken'] === true

export const markTaken = (incoming: Message): void => {
  incoming['~taken'] = true
}

export const endTaken = (incoming: IncomingMessage): boolean => {
  incoming.read(0)
  incoming.push(null)
  incoming.read()
  return true
}

/** Node reads at most this many bytes at once, so a longer body never comes in one piece with its head. */
export const READ_SIZE = 65_536

/** The socket provides a `Buffer`, which decodes faster than a `TextDecoder`. */
export const decode = (bytes: Uint8Array): string => {
  if (!Buffer.isBuffer(bytes) || bytes.length > MAX_STRING) return decodeUtf8(bytes)
  const text = bytes.toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** This number of bytes always fits into a string. */
const MAX_STRING = 2 ** 28
