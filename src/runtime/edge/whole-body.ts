import type { BrokenOff, ReadWhole } from '../contract.ts'

/**
 * A request with `cf` came from workerd's server, which enforces the `Content-Length`, and removes it from a chunked
 * body. An encoded body may have been decoded since, into any number of bytes.
 */
export const readWhole: ReadWhole = (request: Request & { readonly cf?: unknown }) => {
  // Not the reader that `rereadable` has added, because that reads what this function returns
  return !!request.cf && !request.headers.has('content-encoding') && Request.prototype.bytes.call(request)
}

export const brokenOff: BrokenOff = undefined
