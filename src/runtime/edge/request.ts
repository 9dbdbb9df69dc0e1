import { headerOf } from '../platform/request.ts'

export { bytesOf, headerOf, pathOf, rereadable, searchOf, textOf } from '../platform/request.ts'

/** Cloudflare's edge sets the address itself and marks its requests with `cf`; without the mark the header is a client's claim. */
export const peerOf = (request: Request): string | undefined =>
  'cf' in request && request.cf ? (headerOf(request, 'cf-connecting-ip') ?? undefined) : undefined
