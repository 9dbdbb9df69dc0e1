import { isFieldValue } from '../header/field-name.ts'
import { checkOption } from '../options/check.ts'

/** A challenge with its realm (RFC 9110 §11.5). @throws {TypeError} for a realm that would break the header. */
export const realmOf = (feature: string, scheme: string, realm: string): string => {
  const isValid = typeof realm === 'string' && isFieldValue(realm) && !/["\\]/.test(realm)
  checkOption(isValid, `${feature}: realm`, 'a string without quotes and line breaks', realm)
  return `${scheme} realm="${realm}"`
}
