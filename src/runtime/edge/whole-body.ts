import type { HasLength, ThrowBrokenOff } from '../contract.ts'

/**
 * Only workerd has `cf`, and a request from its server does not follow redirects (reading `cf` itself takes a
 * twentieth of a request). The server enforces the `Content-Length`, and removes it from a chunked body. An encoded
 * body may have been decoded since, into any number of bytes.
 */
export const hasLength: HasLength = (request) =>
  'cf' in request && request.redirect === 'manual' && !request.headers.has('content-encoding')

export const brokenOff: ThrowBrokenOff = undefined
