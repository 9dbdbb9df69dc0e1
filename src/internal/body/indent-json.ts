/** A string, a bracket or sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

/** Maximum nesting: for anything deeper, the indentation would be longer than the text. */
const DEEPEST = 100

/**
 * How many times as long as the text the result may be, and how long it may always be, in characters. Documents grow to
 * twice or three times their length. A list of numbers in a hundred lists would grow a hundredfold, and clients can
 * choose what a handler sends back.
 */
const MOST_GROWTH = 16
const ALWAYS = 131_072

/**
 * JSON with line breaks and indentation; `undefined` if it is not JSON, is nested too deeply, or would become many
 * times as long. Tokens are not changed, so no number loses digits, as it would by parsing and printing.
 */
export const indentJson = (text: string, space: number): string | undefined => {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const tokens = text.match(TOKEN)!
  const most = Math.max(ALWAYS, MOST_GROWTH * text.length)
  let out = ''
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    const opens = token === '{' || token === '['
    const closes = token === '}' || token === ']'
    const empty = /^[{[]$/.test(tokens[index - 1] ?? '')
    if (closes) depth--
    if (depth > DEEPEST || out.length > most) return undefined
    if (closes ? !empty : empty || tokens[index - 1] === ',') out += `\n${' '.repeat(depth * space)}`
    out += token === ':' ? ': ' : token
    if (opens) depth++
  }
  return `${out}\n`
}
