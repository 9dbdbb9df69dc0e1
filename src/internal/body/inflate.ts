import { bytesOf, peerOf, rereadable } from '#runtime/core'
import type { Execution } from '../../runtime/contract.ts'
import { errorResponseOf } from '../error/error-response.ts'
import { refusal } from '../error/refusal.ts'
import { unsupported } from '../error/unsupported.ts'

interface CodedContext {
  readonly request: Request & { readonly cf?: unknown }
  readonly env: unknown
  readonly execution: Execution | undefined
}

/**
 * Decompress `Content-Encoding: gzip` or `deflate` (RFC 9110 §8.4.1). From here on, `ctx.request` has the decompressed
 * body, and the address, the signal and the platform's data (`cf`) of the original.
 * @throws {Error} 415 for another coding, 413 over the limit, 400 for bytes that are not of this coding.
 */
export const inflate = async (ctx: CodedContext, coding: string, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (coding !== 'gzip' && coding !== 'deflate') throw unsupported('accept-encoding', 'gzip, deflate')
  const { method, url, signal, cf } = ctx.request
  const headers = new Headers([...ctx.request.headers])
  headers.delete('content-encoding')
  headers.delete('content-length')
  // A blob streams in pieces, so the platform never inflates all of it at once
  const coded = new Blob([await bytesOf(rereadable(ctx.request), limit)]).stream()
  const init = { method, headers, body: coded.pipeThrough(new DecompressionStream(coding)), duplex: 'half', signal }
  const request = new Request(url, init)
  try {
    // Counted again, so that a small body cannot fill memory
    const bytes = await bytesOf(rereadable(request), limit)
    // After the body was read: edges trust its length if there is `cf`
    Object.assign(request, { '~peer': peerOf(ctx.request, ctx.env, ctx.execution) })
    if (cf) Object.defineProperty(request, 'cf', { value: cf })
    Object.assign(ctx, { request })
    return bytes
  } catch (cause) {
    throw errorResponseOf(cause) ? cause : refusal(400, 'Invalid body', { cause })
  }
}
