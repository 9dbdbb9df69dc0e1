/** One assignment of an `.env` file. */
export interface DotenvEntry {
  readonly name: string
  readonly value: string
  /** False for a single-quoted value, which is not expanded. */
  readonly expandable: boolean
}

/**
 * `export NAME=` or `NAME:`, and the value: quoted text with nothing but a comment after it, else all up to a comment.
 * A quote with a backslash does not end the value, unless no other one can. Linear, since it passes no closing quote.
 */
const ENTRY =
  /^[^\S\n]*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)(\s*(['"`])(?:\\\3|(?!\3)[\s\S])*\3(?=[^\S\n]*(?:#|$))|[^#\n]*)/gm

/** Read the text of an `.env` file, with the syntax of the npm package `dotenv`. Other lines are skipped. */
export const parseDotenv = (text: string): DotenvEntry[] => {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return Array.from(source.matchAll(ENTRY), ([, name, rest]) => {
    const raw = rest!.trim()
    // A value such as `'a' 'b'`, which is not one quoted value, loses the outer quotes too
    const value = raw.replace(/^(['"`])([\s\S]*)\1$/, '$2')
    // `\n` and `\r` mean line breaks after a double quote, and nowhere else
    const unescaped = raw[0] === '"' ? value.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : value
    return { name: name!, value: unescaped, expandable: raw[0] !== "'" }
  })
}
