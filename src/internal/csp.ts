/** Sources by directive, camelCase or kebab-case; `false` and `null` take a default away. */
export type Directives = Readonly<Record<string, string | readonly string[] | false | null>>

/** The policy that helmet 8 ships. */
const DEFAULTS =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests"

/** A name that is none, what would end a directive or break the field, and keywords that lost their quotes and so name a host. */
const BAD_SOURCE = /^[a-z-]*[^a-z -]|[;,]|[^ -~]| ((self|none|strict-dynamic)( |$)|unsafe-|nonce-|sha\d)/

/**
 * Write a Content-Security-Policy (CSP Level 3 §2.2).
 *
 * @throws {TypeError} for a name or a source that would change the meaning of the rest.
 */
export const policyOf = (given: Directives, useDefaults: boolean): string => {
  const written = new Map<string, string>()
  for (const text of useDefaults ? DEFAULTS.split(';') : []) written.set(text.split(' ', 1)[0]!, text)
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const text = [name, value || []].flat(2).join(' ')
    if (BAD_SOURCE.test(text)) throw new TypeError(`contentSecurityPolicy: ${text}`)
    written.set(name, value ? text : '')
  }
  return [...written.values()].filter(Boolean).join('; ')
}
