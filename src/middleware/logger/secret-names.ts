/** Parts of names of credentials, in lower case, without hyphens and underscores. */
const SECRET =
  /authorization|cookie|passw(?:or)?d|passphrase|passcode|pwd|secret|token|apikey|privatekey|credential|sessionid|jwt/

/**
 * Names of credentials that are part of harmless words, such as `shipping` and `inside`: they must be whole words, with
 * `-` between them, and not part of a well-known name of something else.
 */
const WORDS =
  /\b(?:(?<!\b(?:account|call|message|service)-)sid|(?<!\b(?:map|drop)-)pin|t?otp|cv[vc]|ssn|[cx]srf(?!-(?:fail|err)))\b/

/** `PHPSESSID`, but not `assessId` and `possessId`. */
const SESSION = /(?<!as|os)sess-?id/

/** Ends of words: between letters of two cases, and at anything else than a letter. */
const BETWEEN = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/

/** Tell names of secrets: `Authorization`, `new_password`, `userPin`, and more, regardless of case and hyphens. */
export const secretNames = (more: readonly (string | RegExp)[]): ((name: string) => boolean) => {
  const names = new Set(more.filter((item) => typeof item === 'string').map(toBareName))
  const patterns = more.filter((item) => typeof item !== 'string')
  return (name) => {
    // Longer strings are not names
    if (name.length > 100) return false
    const short = toBareName(name)
    const words = name.split(BETWEEN).join('-').toLowerCase()
    return (
      SECRET.test(short) ||
      WORDS.test(words) ||
      SESSION.test(words) ||
      names.has(short) ||
      patterns.some((pattern) => name.search(pattern) >= 0)
    )
  }
}

const toBareName = (name: string): string => name.toLowerCase().replace(/[-_\s.]/g, '')
