/** A token (RFC 9110 §5.6.2): the grammar of field names, methods and codings. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Not allowed in a field value (RFC 9110 §5.5): control characters except tab, and characters above one byte. */
const NOT_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

export const isToken = (text: unknown): boolean => typeof text === 'string' && TOKEN.test(text)

export const isFieldValue = (text: string): boolean => !NOT_FIELD_VALUE.test(text)

/**
 * A text without HTTP white space around it (Fetch, "normalize"); `String.prototype.trim` would also remove U+00A0 and
 * the like, and a regular expression would try each inner run of spaces.
 */
export const trim = (text: string): string => {
  let start = 0
  let end = text.length
  while (isSpace(text.charCodeAt(start))) start++
  while (isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number): boolean => code === 9 || code === 10 || code === 13 || code === 32
