import { contentOf, digest } from '#runtime/core'
import { toBase64url } from '../internal/crypto/encoding.ts'
import { evaluate } from '../internal/header/conditional.ts'
import { parseHttpDate } from '../internal/header/http-date.ts'
import { notModified } from '../internal/header/not-modified.ts'
import { checkNames, checkWhole } from '../internal/options/check.ts'
import { whenResolved } from '../internal/promise/awaitable.ts'
import type { Awaitable, Context, Middleware } from '../internal/types/context.ts'
import { cancelBody } from '../kernel/boundary.ts'
import { addEdit, onResponse } from '../kernel/edits.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link etag}. */
export interface EtagOptions {
  /** Use weak tags: equivalent content, not necessarily the same bytes. @default false */
  readonly weak?: boolean
  /** Largest body that gets a tag, in bytes. @default 1048576 */
  readonly limit?: number
}

/**
 * Add an entity tag to responses (RFC 9110 §8.8.3), and respond with 304 or 412 as preconditions require (§13).
 *
 * A tag is 18 bytes of a SHA-256 digest of the text or bytes that a response helper got: streams, and responses of the
 * platform's own class, get none. An existing tag is kept. Works for GET and HEAD with status 200.
 *
 * @throws {TypeError} when created, for a bad option.
 * @example
 * createApp().use(etag()).get('/', () => json({ hello: 'world' }))
 */
export const etag = (options: EtagOptions = {}): Middleware => {
  checkNames('etag', options, 'weak:boolean limit')
  const { weak, limit = 1_048_576 } = options
  checkWhole(limit, 'etag: limit', 'bytes')
  return function etag(ctx, next) {
    if (ctx.method === 'GET' || ctx.method === 'HEAD')
      onResponse(ctx, (response) => {
        if (response.status !== 200) return undefined
        if (response.headers.has('etag')) return applyPreconditions(ctx, response)
        const { content, response: copy } = contentOf(response)
        const bytes =
          typeof content === 'string' && content.length <= limit ? new TextEncoder().encode(content) : content
        if (!(bytes instanceof Uint8Array) || bytes.length > limit) return applyPreconditions(ctx, copy)
        return whenResolved(digest(bytes as Uint8Array<ArrayBuffer>), (hash) => {
          copy.headers.set('etag', `${weak ? 'W/' : ''}"${toBase64url(hash.subarray(0, 18))}"`)
          return applyPreconditions(ctx, copy)
        })
      })
    return next()
  }
}

/** Fields of the body that a 412 does not have: validators, descriptions, and lifetimes, so that no cache stores it. */
const OF_BODY =
  /^(?:etag|last-modified|expires|age|pragma|location|refresh|content-(?!security-policy).*|.*digest|(?:.*cache|surrogate)-control)$/

/** The response, or the 304 or 412 that the preconditions require. */
const applyPreconditions = (ctx: Context, response: Response): Awaitable<Response> => {
  const modified = parseHttpDate(response.headers.get('last-modified'))
  const status = evaluate((name) => ctx.header(name), { etag: response.headers.get('etag'), modified })
  if (status === 200) return response
  cancelBody(response)
  const bare = notModified(response.headers, ctx.header('if-none-match'))
  if (status === 304) return bare
  addEdit(ctx, [...bare.headers].filter(([name]) => !OF_BODY.test(name)).flat())
  return refuse(ctx, status, 'Precondition Failed')
}
