import { createResponse } from '#runtime/response'

/** Statuses that send a client elsewhere (RFC 9110 §15.4). */
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Half of a character, which has no escaped form (URL Standard, "scalar value string"). */
const LONE_SURROGATE = /[\ud800-\udfff]/gu

/** Characters that would end the field or that a URL never holds unescaped. */
const UNSAFE = /[^\x21-\x7e]/gu

/**
 * A redirect. Relative URLs are kept as they are (RFC 9110 §10.2.2).
 *
 * @param status 301, 302, 303, 307 or 308; @default 302
 * @throws {RangeError} for another status. @throws {TypeError} for a URL with CR or LF.
 * @example
 * redirect('/login', 303)
 */
export const redirect = (url: string | URL, status: 301 | 302 | 303 | 307 | 308 | (number & {}) = 302): Response => {
  if (!REDIRECTS.includes(status)) throw new RangeError(`status: ${status} is not one of ${REDIRECTS.join(', ')}`)
  const target = String(url).replace(LONE_SURROGATE, '\ufffd')
  if (/[\r\n\0]/.test(target)) throw new TypeError(`url: ${JSON.stringify(target)} holds a line break`)
  return createResponse(null, undefined, status, { location: target.replace(UNSAFE, encodeURIComponent) })
}
