/** A value and its parameters: `text/html;level=1`. */
export interface ParameterizedValue {
  /** The text before the first `;`, lower case. */
  readonly value: string
  /** Parameters by lower-case name, without a prototype; the first of two with the same name counts. */
  readonly params: Readonly<Record<string, string>>
}

/** A token, or two with a slash between: a coding, a media type, a range such as `text/*`. */
const VALUE = /^[ \t]*([\w!#$%&'*+.^`|~-]+(?:\/[\w!#$%&'*+.^`|~-]+)?)/

/**
 * One parameter, perhaps empty (RFC 9110 §5.6.6). An unquoted value may contain more than a token, because clients
 * leave out the quotes of boundaries, but never a character that would end it elsewhere: space, comma, quote.
 */
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s;,"]+)))?/gy

/** Parse a value with its parameters, in linear time; `undefined` if any part breaks the grammar. */
export const parseParameterized = (text: string): ParameterizedValue | undefined => {
  const head = VALUE.exec(text)
  if (!head) return undefined
  const value = head[1]!.toLowerCase()
  const params: Record<string, string> = Object.create(null)
  const tail = text.slice(head[0].length)
  if (!tail) return { value, params }
  let read = 0
  for (const [matched, name, quoted, plain] of tail.matchAll(PARAMETER)) {
    read += matched.length
    const key = name?.toLowerCase()
    if (key && !(key in params)) params[key] = plain ?? quoted!.replace(/\\(.)/g, '$1')
  }
  return tail.slice(read).trim() ? undefined : { value, params }
}
