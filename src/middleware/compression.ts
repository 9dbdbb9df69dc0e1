import { canEncode, encode, takeBody, withBody } from '#runtime/core'
import { acceptedCodings } from '../internal/header/codings.ts'
import { matchingTag } from '../internal/header/conditional.ts'
import { appendVary } from '../internal/header/vary.ts'
import { checkNames, checkOption, checkWhole } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import { peek } from '../internal/stream/peek.ts'
import type { Awaitable, CallbackContext, Middleware } from '../internal/types/context.ts'
import { onResponse } from '../kernel/edits.ts'

/** Options of {@link compression}. */
export interface CompressionOptions<Extra = unknown> {
  /** Bodies smaller than this are sent as they are, in bytes. @default 1024 */
  readonly threshold?: number
  /** Coding to use if a client accepts several equally. @default 'br', then 'gzip', of those that the runtime has */
  readonly preferredEncoding?: 'gzip' | 'brotli' | 'br' | 'zstd' | 'deflate'
  /** Media types to compress, exact or `text/*`. @default text, JSON, XML, JavaScript, SVG, WebAssembly */
  readonly compressibleTypes?: readonly string[]
  /** Returns false to send a response as it is: one with a secret and text of the client. @default () => true */
  readonly filter?: (ctx: CallbackContext<Extra>, response: Response) => Awaitable<boolean>
}

/** Types that are worth compressing. */
const COMPRESSIBLE = /^text\/|[/+-](json|xml|javascript|wasm)$/

/**
 * Compress responses with a coding that the client accepts (RFC 9110 §12.5.3).
 *
 * Sends `Content-Encoding` and `Vary: Accept-Encoding`, weakens a strong `ETag`, removes `Content-Length` and
 * `Accept-Ranges`. Does not compress event streams, and responses that are encoded, partial, empty or marked
 * `no-transform`. A response to HEAD has the headers of the response to GET (RFC 9110 §9.3.2).
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(compression({ preferredEncoding: 'brotli' }))
 */
export const compression = <Extra = unknown>(options: CompressionOptions<Extra> = {}): Middleware<{}, {}, Extra> => {
  checkNames('compression', options, 'threshold preferredEncoding:string compressibleTypes filter:function')
  const { threshold = 1024, preferredEncoding = 'br', filter, compressibleTypes } = options as CompressionOptions
  const preferred = preferredEncoding.replace('brotli', 'br')
  const codings = new Set([preferred, 'br', 'gzip', 'zstd', 'deflate'])
  checkWhole(threshold, 'compression: threshold', 'bytes')
  const isCoding = codings.size < 5
  checkOption(isCoding, 'compression: preferredEncoding', 'one of gzip, brotli, zstd, deflate', preferredEncoding)
  const isType = (type: string): boolean => /^[\w.+-]+\/[\w.+*-]+$/.test(type)
  const areTypes =
    compressibleTypes === undefined || (Array.isArray(compressibleTypes) && compressibleTypes.every(isType))
  checkOption(areTypes, 'compression: compressibleTypes', 'a list of media types such as "text/*"', compressibleTypes)
  const types = compressibleTypes?.map((type) => type.toLowerCase())
  const isCompressible = (type: string): boolean =>
    types?.some((listed) => type === listed || type.replace(/\/.*/, '/*') === listed) ?? COMPRESSIBLE.test(type)

  return function compression(ctx, next) {
    onResponse(ctx, (response) => {
      const { headers, status } = response
      const type = `${headers.get('content-type')}`.toLowerCase().split(/\s|;/, 1)[0]!
      // A 304 has no content type, and the same `Vary` as the full response would have (RFC 9110 §15.4.5)
      const isFull = status !== 304
      if ((isFull && !isCompressible(type)) || type === 'text/event-stream') return undefined
      const isFinal = headers.has('content-encoding') || headers.has('content-range')
      if (isFinal || /no-transform/i.test(`${headers.get('cache-control')}`)) return undefined
      return whenResolved(filter?.(ctx, response), (isWanted) => {
        if (isWanted === false) return undefined
        appendVary(headers, 'Accept-Encoding')
        const length = headers.get('content-length')
        if (+(length ?? threshold) < threshold) return undefined
        const coding = acceptedCodings(`${ctx.header('accept-encoding')}`, codings).find(canEncode)
        if (!coding) return undefined
        const tag = headers.get('etag')
        if (!isFull) {
          // A client with the compressed response names its weak tag
          if (tag && matchingTag(ctx.header('if-none-match') ?? '', tag) !== tag) weakenTag(headers)
          return undefined
        }
        const body = takeBody(response)
        const head = ctx.method === 'HEAD'
        if (body) return compressResponse(response, body, coding, threshold, head)
        if (head) describe(headers, length === null ? undefined : coding)
        return undefined
      })
    })
    return next()
  }
}

const compressResponse = async (
  response: Response,
  source: Body,
  coding: string,
  threshold: number,
  head: boolean,
): Promise<Response> => {
  const [large, body] = await peek(source, threshold)
  if (!large) return withBody(response, body)
  describe(response.headers, coding)
  // A stream has no length that a response without its body could report
  if (head) return withBody(response, body instanceof Uint8Array ? new Response(body as BodyInit).body! : body)
  return withBody(response, await encode(body, coding))
}

/** Set the headers of a compressed response; without a coding if the length of the body is unknown. */
const describe = (headers: Headers, coding: string | undefined): void => {
  weakenTag(headers)
  if (coding) headers.set('content-encoding', coding)
  headers.delete('content-length')
  headers.delete('accept-ranges')
}

const weakenTag = (headers: Headers): void => {
  const tag = headers.get('etag')
  if (tag) headers.set('etag', tag.replace(/^"/, 'W/$&'))
}

type Body = NonNullable<ReturnType<typeof takeBody>>
