/** One assignment of an `.env` file. */
export interface DotenvEntry {
  readonly name: string
  readonly value: string
  /** False for a single-quoted value, which is not expanded. */
  readonly expandable: boolean
}

/** Blank lines and indentation. */
const SPACE = /\s*/y

/** `export NAME=` or `NAME:`, up to the value. */
const NAME = /(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/y

/** The rest of a line up to a comment. */
const UNQUOTED = /[^#\n]*/y

/** The rest of a line after a closing quote: a comment or nothing. */
const TAIL = /[^\S\n]*(?:#|$)/my

const LINE = /.*/y

/** Read the text of an `.env` file, with the syntax of the npm package `dotenv`. Other lines are skipped. */
export const parseDotenv = (text: string): DotenvEntry[] => {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const entries: DotenvEntry[] = []
  let at = matchEnd(SPACE, source, 0)
  while (at < source.length) {
    NAME.lastIndex = at
    const name = NAME.exec(source)?.[1]
    if (name !== undefined) {
      const { value, expandable, end } = readValue(source, NAME.lastIndex)
      entries.push({ name, value, expandable })
      at = end
    }
    at = matchEnd(SPACE, source, matchEnd(LINE, source, at))
  }
  return entries
}

/** The end of a match of a sticky pattern; the match may be empty. */
const matchEnd = (pattern: RegExp, source: string, from: number): number => {
  pattern.lastIndex = from
  pattern.test(source)
  return Math.max(from, pattern.lastIndex)
}

const readValue = (source: string, from: number): Omit<DotenvEntry, 'name'> & { readonly end: number } => {
  const start = matchEnd(SPACE, source, from)
  const quote = source[start] ?? ''
  const close = isQuote(quote) ? closingQuote(source, start, quote) : -1
  if (close >= 0) return { ...unescapeValue(source.slice(start + 1, close), quote), end: close + 1 }
  const end = matchEnd(UNQUOTED, source, from)
  const raw = source.slice(from, end).trim()
  return { ...unescapeValue(withoutQuotes(raw), raw[0] ?? ''), end }
}

/** The last quote that may close the value: the first without a backslash, or an escaped one that ends its line. */
const closingQuote = (source: string, start: number, quote: string): number => {
  let close = -1
  for (let at = source.indexOf(quote, start + 1); at >= 0; at = source.indexOf(quote, at + 1)) {
    TAIL.lastIndex = at + 1
    if (TAIL.test(source)) close = at
    if (source[at - 1] !== '\\') return close
  }
  return close
}

const isQuote = (character: string): boolean => /^['"`]$/.test(character)

/** A value such as `'a' 'b'`, which has quotes at both ends but is not one quoted value, loses the outer quotes too. */
const withoutQuotes = (raw: string): string =>
  raw.length > 1 && isQuote(raw[0]!) && raw.endsWith(raw[0]!) ? raw.slice(1, -1) : raw

/** `\n` and `\r` mean line breaks after a double quote, and nowhere else. */
const unescapeValue = (value: string, quote: string): Omit<DotenvEntry, 'name'> => ({
  value: quote === '"' ? value.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : value,
  expandable: quote !== "'",
})
