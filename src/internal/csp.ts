/** Sources by directive, camelCase or kebab-case; `false` and `null` take a default away. */
export type Directives = Readonly<Record<string, string | readonly string[] | false | null>>

/** The policy that helmet 8 ships. */
const DEFAULTS =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests"

/** A name that is none, what would end a directive or break the field, and keywords that lost their quotes and so name a host. */
const BAD_SOURCE = /^[a-z-]*[^a-z -]|[;,]|[^ -~]| ((self|none|strict-dynamic|report-sample)( |$)|unsafe-|nonce-|sha\d+-)/

/** Stands for the nonce in a policy: no source is written like it. */
export const NONCE = "'nonce-'"

/**
 * Write a Content-Security-Policy (CSP Level 3 §2.2).
 *
 * @param nonceIn Directives that get {@link NONCE} as a further source.
 * @throws {TypeError} for a name or a source that would change the meaning of the rest.
 */
export const policyOf = (given: Directives, useDefaults: boolean, nonceIn: readonly string[]): string => {
  const written = new Map<string, string>()
  if (useDefaults) for (const text of DEFAULTS.split(';')) written.set(text.split(' ')[0]!, text)
  for (const [key, value] of Object.entries(given)) {
    const name = kebab(key)
    const text = [name, value || []].flat(2).join(' ')
    if (BAD_SOURCE.test(text)) throw new TypeError(`contentSecurityPolicy: ${text}`)
    written.delete(name)
    if (value) written.set(name, text)
  }
  for (const name of nonceIn.map(kebab)) written.set(name, `${written.get(name) ?? name} ${NONCE}`)
  return [...written.values()].join('; ')
}

const kebab = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
