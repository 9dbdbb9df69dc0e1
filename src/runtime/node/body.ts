import type { IncomingMessage } from 'node:http'
import { refusal } from '../../internal/answer.ts'
import { tooLarge } from '../../internal/too-large.ts'

/** The body ended before it was complete: nobody is left to read an answer. */
const truncated = (cause?: Error | null): Error => {
  const error = 'Request body is incomplete'
  return refusal(400, error, undefined, new Error(error, cause ? { cause } : {}))
}

/**
 * Read the whole body from the socket, counting. Over the limit nothing more is kept; the writer gives the client a moment to finish.
 *
 * @throws {Error} 413 over the limit, 400 when the client goes in the middle.
 */
export const collect = (incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    if (limit < Number.POSITIVE_INFINITY && Number(incoming.headers['content-length']) > limit) {
      return reject(tooLarge())
    }
    if (incoming.destroyed || incoming.readableEnded) return reject(truncated())
    const chunks: Buffer[] = []
    let size = 0
    let settled = false
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit) {
        incoming.off('data', onData)
        reject(tooLarge())
      } else chunks.push(chunk)
    }
    incoming.on('data', onData)
    incoming.on('end', () => {
      if (incoming.aborted) return
      settled = true
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)) as Uint8Array<ArrayBuffer>)
    })
    // Every request closes; an error, whose stack costs more than the rest of this, is made for those that broke off.
    incoming.on('close', () => {
      if (!settled) reject(truncated())
    })
    return undefined
  })

/** The body as a stream that reads from the socket only as fast as it is read itself. */
export const toStream = (incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> => {
  let open = true
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const stop = (error?: Error | null): void => {
          if (!open) return
          open = false
          if (error) controller.error(error)
          else controller.close()
        }
        incoming.pause()
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
}
