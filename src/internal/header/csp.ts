import { DEV } from '#mode'
import { checkOption } from '../options/check.ts'

/** Sources by directive, camelCase or kebab-case; `false` and `null` remove a default. */
export type Directives = Readonly<Record<string, string | readonly string[] | false | null>>

/** The default policy of helmet 8. */
const DEFAULTS =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests"

/** The directives of CSP Level 3 and of the specifications that extend it. */
const DIRECTIVE =
  /^((child|connect|default|(fenced-)?frame|font|img|manifest|media|object|prefetch|(script|style)(?=-src)|worker)-src(-attr|-elem)?|base-uri|form-action|frame-ancestors|report-(to|uri)|(require-)?trusted-types(-for)?|sandbox|upgrade-insecure-requests|block-all-mixed-content)$/

/** Characters that would end a directive or the header, keywords without quotes, and values that are not strings. */
const BAD_SOURCE = /[;,{}>]|[^ -~]|^((self|none|strict-dynamic|undefined|null|true|\[object)$|unsafe-|nonce-|sha\d)/

/**
 * Write a Content-Security-Policy (CSP Level 3 §2.2).
 *
 * @throws {TypeError} for a directive that does not exist, and for a source that would change the meaning of the rest.
 */
export const policyOf = (input: Directives, useDefaults: boolean): string => {
  const directives = new Map<string, string>()
  for (const text of useDefaults ? DEFAULTS.split(';') : []) directives.set(text.split(' ', 1)[0]!, text)
  for (const [key, value] of Object.entries(input)) {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (DEV) checkOption(DIRECTIVE.test(name), OPTION, 'a directive such as "scriptSrc"', key)
    const sources = [value || []].flat().flatMap((source) => `${source}`.split(' '))
    for (const source of sources) checkOption(!BAD_SOURCE.test(source), `${OPTION}: ${key}`, A_SOURCE, source)
    // `false` and `null` remove a directive; an empty string or list is a directive without sources
    if (value !== undefined) directives.set(name, value === false || value === null ? '' : [name, ...sources].join(' '))
  }
  return [...directives.values()].filter(Boolean).join('; ')
}

const OPTION = 'helmet: contentSecurityPolicy: directives'
const A_SOURCE = `a source such as "'self'" or "https://a.example"`
