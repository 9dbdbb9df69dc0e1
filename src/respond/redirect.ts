import { DEV } from '#mode'
import { createResponse } from '#runtime/core'
import { oneLine } from '../internal/header/one-line.ts'
import { checkOption } from '../internal/options/check.ts'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Characters that a URL never contains unescaped. */
const UNSAFE = /[^!-~]/gu

/**
 * A redirect. Relative URLs are kept (RFC 9110 §10.2.2).
 *
 * @param status 301, 302, 303, 307 or 308; @default 302
 * @throws {RangeError} for another status. @throws {TypeError} without a URL, and for one with CR or LF.
 * @example
 * redirect('/login', 303)
 */
export const redirect = (url: string | URL, status: 301 | 302 | 303 | 307 | 308 | (number & {}) = 302): Response => {
  if (!REDIRECTS.includes(status)) {
    const expected = `redirect: status: expected one of ${REDIRECTS.join(', ')}, got ${status}`
    throw new RangeError(DEV ? expected : 'redirect: status')
  }
  // A query without the parameter returns `null`
  checkOption(url !== undefined && url !== null, 'redirect: url', 'a URL', url)
  // Half of a character has no escaped form (URL Standard, "scalar value string")
  const target = String(url).toWellFormed()
  return createResponse(null, undefined, status, {
    location: oneLine('redirect: url', target).replace(UNSAFE, encodeURIComponent),
  })
}
