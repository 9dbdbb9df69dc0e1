/** Names of credentials. Doubtful names are hidden too, because pages end up in screenshots. */
const SECRET =
  /auth|cookie|token|secret|session|passw|passphrase|passcode|pwd|credential|signature|csrf|salt|private|jwt|[-_.a-z]pass$|^pass$|(?:^|[-_.])pin$|api-?_?key|(?:^|[-_.])key$|[a-z]Key$|dsn$/i

/** Maximum length of a name. */
const LONGEST = 100

/** Replaces a secret. */
export const HIDDEN = '(hidden)'

/** True if a name suggests a secret, or is too long for a name. */
export const isSecretName = (name: string): boolean => name.length > LONGEST || SECRET.test(name)

/** A URL without the values of credentials in its query. */
export const withoutSecrets = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.set(name, HIDDEN)
  return url.href
}

/** How many levels and entries of settings are shown. */
const DEEPEST = 8
const MOST = 200

/** Settings as pairs of a dotted name and a value. Secrets, and everything below them, are hidden. */
export const settingsOf = (settings: unknown): readonly (readonly [name: string, value: string])[] => {
  const lines: [string, string][] = []
  const visit = (name: string, value: unknown, depth: number): void => {
    if (lines.length >= MOST) return
    const last = name.slice(name.lastIndexOf('.') + 1)
    if (name !== '' && isSecretName(last)) lines.push([name, HIDDEN])
    else if (isBranch(value) && depth < DEEPEST) {
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
const LONGEST_VALUE = 1000

/** A password before the host of an address. */
const IN_ADDRESS = /(:\/\/[^\s/?#:@]{0,200}:)\S*@/g

/** A name with its value in a list, a query, or a cookie: `Server=x;Password=y`. */
const PAIR = /([\w.-]{1,60})=([^;&\s]+)/g

/** A text without the values of credentials in it. */
export const withoutSecretParts = (text: string): string =>
  text
    .replace(IN_ADDRESS, `$1${HIDDEN}@`)
    .replace(PAIR, (pair, name: string) => (isSecretName(name) ? `${name}=${HIDDEN}` : pair))

const textOf = (value: unknown): string => {
  if (typeof value === 'string') {
    if (value.length > LONGEST_VALUE) return `(a text of ${value.length} characters)`
    return withoutSecretParts(value)
  }
  if (typeof value === 'object' && value !== null) return `(${value.constructor?.name ?? 'object'})`
  return typeof value === 'function' ? '(function)' : String(value)
}
