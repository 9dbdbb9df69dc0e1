/** A token (RFC 9110 §5.6.2): the grammar of field names, methods and codings. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Anything that a field value must not hold (RFC 9110 §5.5): control characters save tab, and characters past one byte. */
const NOT_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** Whether the text is a token: at least one character, none of them a delimiter. */
export const isToken = (text: string): boolean => TOKEN.test(text)

/** Whether the text can be sent as a field value without splitting or breaking the message. */
export const isFieldValue = (text: string): boolean => !NOT_FIELD_VALUE.test(text)

/**
 * Refuse a field name that is not a token.
 *
 * @param option Name of the option that brought it, for the message.
 * @throws {TypeError} with the option and the value.
 */
export const assertFieldName = (name: string, option = 'header'): void => {
  if (typeof name !== 'string' || !isToken(name)) throw badOption(option, name, 'a field name')
}

/**
 * Refuse a field value that could split the message or that the platform would refuse later.
 *
 * @param option Name of the option that brought it, for the message.
 * @throws {TypeError} with the option and the value.
 */
export const assertFieldValue = (value: string, option = 'value'): void => {
  if (typeof value !== 'string' || !isFieldValue(value)) throw badOption(option, value, 'a field value')
}

/** Error of a bad option: its name, its value and what it should have been. */
export const badOption = (option: string, value: unknown, expected: string): TypeError =>
  new TypeError(`${option}: ${typeof value === 'string' ? JSON.stringify(value) : String(value)} is not ${expected}`)
