/** Codings that Node's `fetch` takes off, as it says in no field. */
const DECODED = /^(x-)?(gzip|deflate|br)$/i

/**
 * A response of `fetch` that a handler hands on, with fields that fit it: those of the other connection go, and, as the body comes decoded, so do its coding and
 * its length. Any other response as it is.
 */
export const passedOn = (response: Response): Response => {
  if (!response.url) return response
  const own = new Response(response.body, response)
  const { headers } = own
  headers.delete('connection')
  headers.delete('keep-alive')
  const coding = headers.get('content-encoding')
  if (response.body && coding?.split(',').every((one) => DECODED.test(one.trim()))) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  return own
}
