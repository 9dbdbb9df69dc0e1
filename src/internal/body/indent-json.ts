/** A string, a bracket or sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

/** Deepest nesting: the indentation of what is deeper would be longer than the text. */
const DEEPEST = 100

/**
 * JSON with line breaks and indentation; nothing for what is not JSON or nested too deep. Tokens stay as they are, so no
 * number loses a digit, which parsing and printing would take.
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
