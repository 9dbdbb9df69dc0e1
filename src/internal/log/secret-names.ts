/** Names without case, hyphens and underscores: what they hold lets somebody in. */
const SECRET = /authorization|cookie|password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey|credential/

/** The longest name that is looked at: longer texts are no names. */
const LONGEST = 100

/**
 * Whether a name promises a secret: `Authorization`, `set-cookie`, `new_password`, `apiKey`.
 *
 * @param more further names, in any case and with any hyphens, or patterns
 */
export const secretNames = (more: readonly (string | RegExp)[]): ((name: string) => boolean) => {
  const names = new Set(more.filter((one) => typeof one === 'string').map(bare))
  const patterns = more.filter((one) => typeof one !== 'string')
  return (name) => {
    if (name.length > LONGEST) return false
    const short = bare(name)
    return SECRET.test(short) || names.has(short) || patterns.some((pattern) => name.search(pattern) >= 0)
  }
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_\s.]/g, '')
