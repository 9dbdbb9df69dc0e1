/**
 * Translate an EJS template into eta's dialect, so that templates written for other generators keep working.
 *
 * | EJS | becomes |
 * |---|---|
 * | `<% code %>`, `<%_ code _%>` | a statement; the second form also removes the blanks around it |
 * | `<%= value %>`, `<%- value %>` | the value, not escaped |
 * | `<%# remark %>` | nothing |
 * | `-%>` | the end of a tag that also removes the following line end |
 * | `<%%`, `%%>` | a literal `<%`, `%>` |
 *
 * @throws {SyntaxError} when a tag is never closed, with its line.
 * @example
 * ejsToEta('class <%= name %> {}') // 'class <%~ name %> {}'
 */
export const ejsToEta = (template: string): string => {
  let output = ''
  let rest = template
  for (let open = rest.indexOf('<%'); open !== -1; open = rest.indexOf('<%')) {
    const before = rest.slice(0, open)
    const tag = readTag(rest.slice(open))
    if (tag === undefined) {
      const line = template.slice(0, template.length - rest.length + open).split('\n').length
      throw new SyntaxError(`a "<%" is never closed, line ${line}`)
    }
    output += literal(tag.slurpsBefore ? before.replace(/[ \t]+$/, '') : before) + tag.eta
    rest = afterTag(rest.slice(open + tag.length), tag)
  }
  return output + literal(rest)
}

interface Tag {
  /** The replacement in eta. */
  readonly eta: string
  /** Its length in the template, in characters. */
  readonly length: number
  readonly slurpsBefore: boolean
  /** What is removed after it: nothing, the line end, or blanks and the line end. */
  readonly slurpsAfter: '' | 'line end' | 'blanks'
}

/** The tag at the beginning of a text. A statement gets its own lines, so that a `//` comment ends with it. */
const readTag = (text: string): Tag | undefined => {
  if (text.startsWith('<%%')) return { eta: LITERAL_OPEN, length: 3, slurpsBefore: false, slurpsAfter: '' }
  const close = text.indexOf('%>', 2)
  if (close === -1) return undefined
  const kind = /^[-=_#]/.exec(text.slice(2, close))?.[0] ?? ''
  const ending = close > 2 + kind.length ? (/[-_]$/.exec(text.slice(2, close))?.[0] ?? '') : ''
  const code = text.slice(2 + kind.length, close - ending.length)
  return {
    eta: kind === '#' ? '' : kind === '=' || kind === '-' ? `<%~${code}%>` : `<%${code}\n%>`,
    length: close + 2,
    slurpsBefore: kind === '_',
    slurpsAfter: ending === '-' ? 'line end' : ending === '_' ? 'blanks' : '',
  }
}

const afterTag = (text: string, tag: Tag): string => {
  if (tag.slurpsAfter === 'line end') return text.replace(/^\n/, '')
  return tag.slurpsAfter === 'blanks' ? text.replace(/^[ \t]*\n?/, '') : text
}

/** eta has no escape for `<%`, so a statement prints it. */
const LITERAL_OPEN = "<%~ '<' + '%' %>"

const literal = (text: string): string => text.replaceAll('%%>', "<%~ '%' + '>' %>")
