/** Parts of names of credentials, in lower case, without hyphens and underscores. */
const SECRET =
  /authorization|cookie|password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey|credential|sess(?:ion)?id|jwt/

/** Credentials whose names are part of harmless ones, such as `shipping` and `inside`: they count as whole words. */
const WORD = /^(?:sid|otp|totp|pin|cvv|cvc|ssn|csrf|xsrf)$/

/** Ends of words: between letters of two cases, and at anything else than a letter. */
const BETWEEN = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/

/** Maximum length of a name: longer strings are not names. */
const LONGEST = 100

/**
 * Whether a name suggests a secret: `Authorization`, `set-cookie`, `new_password`, `apiKey`, `userPin`.
 *
 * @param more further names, regardless of case and hyphens, or patterns
 */
export const secretNames = (more: readonly (string | RegExp)[]): ((name: string) => boolean) => {
  const names = new Set(more.filter((one) => typeof one === 'string').map(bare))
  const patterns = more.filter((one) => typeof one !== 'string')
  return (name) => {
    if (name.length > LONGEST) return false
    const short = bare(name)
    return (
      SECRET.test(short) ||
      name.split(BETWEEN).some((word) => WORD.test(word.toLowerCase())) ||
      names.has(short) ||
      patterns.some((pattern) => name.search(pattern) >= 0)
    )
  }
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_\s.]/g, '')
