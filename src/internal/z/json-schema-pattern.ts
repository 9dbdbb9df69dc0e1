export const escapePattern = (text: unknown): string => String(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The pattern without flags, and valid with `u`, as validators read it. Empty if there is none. */
export const sourceOf = ({ source, flags }: RegExp): readonly string[] => {
  if (flags.includes('m') || flags.includes('v') || (flags.includes('i') && UNCERTAIN.test(source))) return []
  const start = flags.includes('y') ? '^(?:' : ''
  const rewritten = start + rewritePattern(source, flags) + (start && ')')
  return isUnicode(rewritten) ? [rewritten] : []
}

/** Parts that the flag `i` changes otherwise: letters outside ASCII, references to groups, and the cases of `\p`. */
const UNCERTAIN =
  /[^\0-\x7F]|\\(?:k<|[1-9]|u(?!00[0-7]|\{0*[0-7]?[\da-fA-F]\})|x[89a-fA-F]|[pP]\{[^}\\]*(?:L[ltu]|case))/

const isUnicode = (source: string): boolean => {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Groups with a name, escapes of any length, ranges of letters, brackets, letters, and the dot. */
const TOKEN =
  /\(\?<[A-Za-z_$][\w$]*>|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[\s\S])|[a-z]-[a-z]|[A-Z]-[A-Z]|[[\]a-zA-Z.]/g

/** Characters that may have a backslash with `u`. */
const ESCAPABLE = /^[\^$\\.*+?()[\]{}|/dDsSwWbBfnrtvcxukpP\d]$/

/** Letters in both cases for the flag `i`, any character for the dot with the flag `s`, and no needless escapes. */
const rewritePattern = (source: string, flags: string): string => {
  const both = flags.includes('i')
  let inClass = false
  return source.replace(TOKEN, (token: string, at: number) => {
    // A range whose ends are not letters of one case, such as A-z: `\p-` is valid in no pattern
    if (both && inClass && LETTER.test(token) && isEnd(source, at, token.length)) return '\\p-'
    if (token.startsWith('\\')) return escapeToken(token, both, inClass)
    if (token === '[' && !inClass) inClass = true
    else if (token === ']') inClass = false
    else if (token === '.' && !inClass && flags.includes('s')) return '[\\s\\S]'
    else if (both && /^[a-zA-Z](?:-[a-zA-Z])?$/.test(token) && (inClass || token.length === 1)) {
      const other = token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase()
      return inClass ? token + other : `[${token}${other}]`
    }
    return token
  })
}

/** A letter, perhaps as an escape. */
const LETTER = /^(?:[a-zA-Z]|\\[ux].+)$/

/** Whether the token begins or ends a range such as `a-z`. */
const isEnd = (source: string, at: number, length: number): boolean =>
  /^-[^\]]/.test(source.slice(at + length)) || (source[at - 1] === '-' && !/\[\^?-$/.test(source.slice(0, at)))

const escapeToken = (token: string, both: boolean, inClass: boolean): string => {
  const code = /^\\(?:u\{([^}]*)\}|u(.{4})|x(.{2}))$/.exec(token)
  if (code && both) {
    const letter = String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16))
    if (/^[a-zA-Z]$/.test(letter)) {
      const pair = letter.toLowerCase() + letter.toUpperCase()
      return inClass ? pair : `[${pair}]`
    }
  }
  const [, char = ''] = token
  return token.length > 2 || ESCAPABLE.test(char) || (char === '-' && inClass) ? token : char
}
