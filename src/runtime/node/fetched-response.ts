/** Codings that Node's `fetch` decodes, although the header stays. */
const DECODED = /^(x-)?(gzip|deflate|br)$/i

/**
 * A response of `fetch` that a handler returns, with corrected headers: hop-by-hop headers are removed, and, because
 * the body is already decoded, so are its coding and its length. Any other response is not changed.
 */
export const fixFetchedResponse = (response: Response): Response => {
  if (!response.url) return response
  const copy = new Response(response.body, response)
  const { headers } = copy
  headers.delete('connection')
  headers.delete('keep-alive')
  const coding = headers.get('content-encoding')
  if (response.body && coding?.split(',').every((token) => DECODED.test(token.trim()))) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  return copy
}
