/** Words of the names of credentials. Doubtful names are hidden too, because pages end up in screenshots. */
const SECRET = new Set(
  'auth authorization authentication cookie cookies token tokens secret secrets session sessions sid sess password passwords passwd passphrase passcode pwd pass credential credentials signature csrf xsrf salt private jwt pin otp totp dsn cvv cvc ssn'.split(
    ' ',
  ),
)

/** Ends of words that are written together in lower case: `apikey`, `newpassword`, `phpsessid`. */
const JOINED =
  /(?:apikey|privatekey|secretkey|accesskey|token|secret|password|passwd|passphrase|cookie|sess(?:ion)?id)s?$/

/** Words before `key` that make it harmless; every other one makes it a secret: `app.key`, `STRIPE_KEY`. */
const HARMLESS = new Set('primary foreign sort cache public idempotency partition'.split(' '))

/** Ends of words: between letters of two cases, and at anything else than a letter. */
const BETWEEN = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/

/** Maximum length of a name. */
const MAX_LENGTH = 100

/** Replaces a secret. */
export const HIDDEN = '(hidden)'

/** True if a name suggests a secret, or is too long for a name. */
export const isSecretName = (name: string): boolean => {
  if (name.length > MAX_LENGTH) return true
  const words = name
    .split(BETWEEN)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
  const [before, last] = words.slice(-2)
  const isKey = /^keys?$/.test(last ?? '') && !HARMLESS.has(before!)
  return isKey || words.some((word) => SECRET.has(word) || JOINED.test(word))
}

/** A URL without the values of credentials in its query. */
export const withoutSecrets = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  const pairs = [...url.searchParams]
  // Replaced all at once: each change of one value writes the whole URL again
  if (pairs.some(([name]) => isSecretName(name)))
    url.search = new URLSearchParams(
      pairs.map(([name, value]) => [name, isSecretName(name) ? HIDDEN : value]),
    ).toString()
  return url.href
}

/** How many levels and entries of settings are shown. */
const MAX_DEPTH = 8
const MAX_LINES = 200

/** Settings as pairs of a dotted name and a value. Secrets, and everything below them, are hidden. */
export const settingsOf = (settings: unknown): readonly (readonly [name: string, value: string])[] => {
  const lines: [string, string][] = []
  const visit = (name: string, value: unknown, depth: number): void => {
    if (lines.length >= MAX_LINES) return
    const last = name.slice(name.lastIndexOf('.') + 1)
    // For `app.key`, the word before the dot decides
    if (name !== '' && isSecretName(last === 'key' ? name : last)) lines.push([name, HIDDEN])
    else if (isBranch(value) && depth < MAX_DEPTH) {
      const entries = Object.entries(value)
      if (entries.length === 0) lines.push([name, Array.isArray(value) ? '[]' : '{}'])
      for (const [key, below] of entries) visit(name === '' ? key : `${name}.${key}`, below, depth + 1)
    } else lines.push([name, textOf(value)])
  }
  visit('', settings, 0)
  return lines
}

/** True for lists and plain objects. Other objects are values, since reading a property may have side effects. */
const isBranch = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** Maximum length of a string that is shown. */
const MAX_VALUE_LENGTH = 1000

/** The user of an address, up to the password. */
const USER = /:\/\/[^/?#:@]{0,200}:/

/** A name with its value in a list, a query, or a cookie: `Server=x;Password=y`. */
const PAIR = /([\w.-]{1,60})=([^;&\s]+)/g

/** A text without the values of credentials in it. */
export const withoutSecretParts = (text: string): string =>
  text
    .replace(/\S+/g, withoutPassword)
    .replace(PAIR, (pair, name: string) => (isSecretName(name) ? `${name}=${HIDDEN}` : pair))

/**
 * A word without the password of its address, which ends at the last `@`. A pattern with both ends would search for
 * that from each place where an address may begin.
 */
const withoutPassword = (word: string): string => {
  const end = word.lastIndexOf('@')
  const user = end === -1 ? undefined : USER.exec(word.slice(0, end))
  return user ? word.slice(0, user.index + user[0].length) + HIDDEN + word.slice(end) : word
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') {
    if (value.length > MAX_VALUE_LENGTH) return `(a string of ${value.length} characters)`
    return withoutSecretParts(value)
  }
  if (typeof value === 'object' && value !== null) return `(${value.constructor?.name ?? 'object'})`
  return typeof value === 'function' ? '(function)' : String(value)
}
