import type { Transform } from 'node:stream'

/** Loaded with the first body that is compressed, not with the package. */
const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib')

/** Brotli at its own default quality takes a hundred times as long as gzip; 4 is as fast and a seventh smaller. */
const BROTLI_QUALITY = 4

/** Zstandard was added in Node 22.15; the types of older versions do not have it. */
interface Zstd {
  readonly createZstdCompress?: (options: object) => Transform
  readonly constants: { readonly ZSTD_e_flush?: number }
}

/** Encoders that flush after each chunk of the source, so that a slow stream is not delayed. */
const encoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib().createGzip({ flush: zlib().constants.Z_SYNC_FLUSH }),
  deflate: () => zlib().createDeflate({ flush: zlib().constants.Z_SYNC_FLUSH }),
  br() {
    const { constants, createBrotliCompress } = zlib()
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
    return createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params })
  },
  zstd() {
    const { constants, createZstdCompress } = zlib() as Zstd
    return createZstdCompress!({ flush: constants.ZSTD_e_flush })
  },
}

export const canEncode = (coding: string): boolean =>
  Object.hasOwn(encoders, coding) && (coding !== 'zstd' || !!(zlib() as Zstd).createZstdCompress)

/** The compressed body: bytes are compressed at once, outside the event loop thread; a stream becomes a stream. */
export const encode = (
  body: ReadableStream<Uint8Array> | Uint8Array,
  coding: string,
): ReadableStream<Uint8Array> | Promise<Uint8Array> => {
  const encoder = encoders[coding]!()
  return body instanceof Uint8Array ? encodeBytes(body, encoder) : encodeStream(body, encoder)
}

const encodeBytes = (bytes: Uint8Array, encoder: Transform): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    encoder.on('data', (chunk) => chunks.push(chunk))
    encoder.on('end', () => resolve(Buffer.concat(chunks)))
    encoder.on('error', reject)
    encoder.end(bytes)
  })

const encodeStream = (body: ReadableStream<Uint8Array>, encoder: Transform): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  const feed = async (): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        if (!encoder.write(value)) await new Promise((resolve) => encoder.once('drain', resolve))
      }
      encoder.end()
    } catch (error) {
      // Without an error, the failure would go unnoticed, and the client would wait for ever
      encoder.destroy(error instanceof Error ? error : new Error('The body failed', { cause: error }))
    }
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      encoder.on('data', (chunk: Uint8Array) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) encoder.pause()
      })
      encoder.on('end', () => controller.close())
      encoder.on('error', (error) => controller.error(error))
      void feed()
    },
    pull() {
      encoder.resume()
    },
    cancel(reason) {
      encoder.destroy()
      return reader.cancel(reason)
    },
  })
}
