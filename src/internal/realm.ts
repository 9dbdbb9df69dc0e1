import { isFieldValue } from './headers.ts'
import { need } from './need.ts'

/** A challenge with its realm (RFC 9110 §11.5). @throws {TypeError} for a realm that would break the header. */
export const realmOf = (scheme: string, realm: string): string => {
  need(
    typeof realm === 'string' && isFieldValue(realm) && !/["\\]/.test(realm),
    'realm',
    realm,
    'a text without quotes',
  )
  return `${scheme} realm="${realm}"`
}
