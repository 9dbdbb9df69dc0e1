/** Names of credentials. Those that only may be one are hidden too: pages end up in screenshots. */
const SECRET =
  /auth|cookie|token|secret|session|passw|passphrase|passcode|pwd|credential|signature|csrf|salt|private|jwt|[-_.a-z]pass$|^pass$|(?:^|[-_.])pin$|api-?_?key|(?:^|[-_.])key$|[a-z]Key$|dsn$/i

/** Maximum length of a name. */
const LONGEST = 100

/** Replaces a secret. */
export const HIDDEN = '(hidden)'

/** Whether a name suggests a secret; a string that is too long for a name counts as a secret. */
export const isSecretName = (name: string): boolean => name.length > LONGEST || SECRET.test(name)

/** A URL that shows the names of credentials in its query, not their values. */
export const withoutSecrets = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (isSecretName(name)) url.searchParams.set(name, HIDDEN)
  return url.href
}

/** Levels and entries of settings that are shown. */
const DEEPEST = 8
const MOST = 200

/** Settings as lines of a dotted name and a value, without the values of secrets and of what is below them. */
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

/** Lists and plain objects; anything else is a value, since reading it may do something. */
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

/** A text that shows the names of credentials in it, not their values. */
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
