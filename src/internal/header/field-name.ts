/** A token (RFC 9110 §5.6.2): the grammar of field names, methods and codings. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Not allowed in a field value (RFC 9110 §5.5): control characters except tab, and characters above one byte. */
const NOT_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

export const isToken = (text: unknown): boolean => typeof text === 'string' && TOKEN.test(text)

export const isFieldValue = (text: string): boolean => !NOT_FIELD_VALUE.test(text)
