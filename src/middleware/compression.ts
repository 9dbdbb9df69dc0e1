import { canEncode, encode, takeBody, withBody } from '#runtime/compress'
import type { Context, Middleware } from '../context.ts'
import { parseAccept } from '../internal/accept.ts'
import { peek } from '../internal/peek.ts'
import { appendVary } from '../internal/vary.ts'

/** Options of {@link compression}. */
export interface CompressionOptions {
  /** Bodies smaller than this are sent as they are, in bytes. @default 1024 */
  readonly threshold?: number
  /** Coding to take where a client likes several equally. @default 'br', then 'gzip', of those that the runtime has */
  readonly preferredEncoding?: 'gzip' | 'brotli' | 'br' | 'zstd' | 'deflate'
  /** Media types to compress, exact or `text/*`. @default text, JSON, XML, JavaScript, SVG, WebAssembly */
  readonly compressibleTypes?: readonly string[]
  /** False for responses to leave alone, such as those that hold a secret beside text of the client's (BREACH). @default all */
  readonly filter?: (ctx: Context, response: Response) => boolean
}

/** Types that shrink; never an event stream, whose events must not wait. */
const COMPRESSIBLE = /^text\/|[/+-](json|xml|javascript|wasm)$/

/**
 * Compress responses as the client accepts it (RFC 9110 §12.5.3).
 *
 * Sends `Content-Encoding` and `Vary: Accept-Encoding`, weakens a strong `ETag`, drops `Content-Length` and
 * `Accept-Ranges`. Leaves alone: what is encoded, partial, empty or marked `no-transform`, answers to HEAD and event streams.
 *
 * @throws {TypeError} when made, for a threshold or coding that is none.
 * @example
 * createApp().use(compression({ preferredEncoding: 'brotli' }))
 */
export const compression = (options: CompressionOptions = {}): Middleware => {
  const { threshold = 1024, preferredEncoding = 'br', compressibleTypes, filter } = options
  if (!(threshold >= 0)) throw TypeError(`threshold: ${threshold}`)
  const order = [preferredEncoding === 'brotli' ? 'br' : preferredEncoding, 'br', 'gzip', 'zstd', 'deflate']
  if (order.indexOf(order[0]!, 1) < 0) throw TypeError(`preferredEncoding: ${preferredEncoding}`)
  const types = new Set(compressibleTypes)

  const isCompressible = ({ headers, status }: Response): boolean => {
    const type = (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
    return (
      (compressibleTypes ? types.has(type) || types.has(type.replace(/\/.*/, '/*')) : COMPRESSIBLE.test(type)) &&
      type !== 'text/event-stream' &&
      !(headers.has('content-encoding') || headers.has('content-range')) &&
      !/no-transform/i.test(headers.get('cache-control') ?? '') &&
      ![101, 204, 205, 206, 304].includes(status)
    )
  }

  return function compression(ctx, next) {
    ctx.onResponse(async (response) => {
      const { headers } = response
      if (!isCompressible(response) || filter?.(ctx, response) === false) return
      appendVary(headers, 'Accept-Encoding')
      const coding = choose(ctx.header('accept-encoding') ?? '', order)
      const length = headers.get('content-length')
      if (!coding || ctx.method === 'HEAD' || (length && Number(length) < threshold)) return
      let body = takeBody(response)
      if (!body) return
      let large = !!length
    })
    return next()
  }
}
