/** A string, a bracket or sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

/** Maximum nesting: for anything deeper, the indentation would be longer than the text. */
const DEEPEST = 100

/**
 * JSON with line breaks and indentation; `undefined` if it is not JSON or nested too deeply. Tokens are not changed, so
 * no number loses digits, as it would by parsing and printing.
 */
export const indentJson = (text: string, space: number): string | undefined => {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const tokens = text.match(TOKEN)!
  let out = ''
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    const opens = token === '{' || token === '['
    const closes = token === '}' || token === ']'
    const empty = /^[{[]$/.test(tokens[index - 1] ?? '')
    if (closes) depth--
    if (depth > DEEPEST) return undefined
    if (closes ? !empty : empty || tokens[index - 1] === ',') out += `\n${' '.repeat(depth * space)}`
    out += token === ':' ? ': ' : token
    if (opens) depth++
  }
  return `${out}\n`
}
