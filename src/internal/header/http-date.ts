/** `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT`, which is obsolete. */
const GMT = /^[a-z]{3,9}, \d\d[ -][a-z]{3}[ -]\d\d(?:\d\d)? \d\d:\d\d:\d\d gmt$/i

/** `Sun Nov  6 08:49:37 1994`, also obsolete, in GMT. */
const ASCTIME = /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i

/** Parse an HTTP date (RFC 9110 §5.6.7), in milliseconds since 1970; `undefined` for any other string. */
export const parseHttpDate = (text: string | null): number | undefined => {
  if (!text) return undefined
  const time = GMT.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
