/** A token (RFC 9110 §5.6.2): the grammar of field names, methods and codings. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Characters that are not allowed in a field value (RFC 9110 §5.5): control characters except tab, and characters above
 * one byte.
 */
const NOT_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** Whether the string is a token: at least one character, none of them a delimiter. */
export const isToken = (text: unknown): boolean => typeof text === 'string' && TOKEN.test(text)

/** Whether the string can be sent as a field value without splitting or breaking the message. */
export const isFieldValue = (text: string): boolean => !NOT_FIELD_VALUE.test(text)
