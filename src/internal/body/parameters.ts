/** The name of a parameter, and its value or the quote that opens it: some clients leave the quotes out. */
const PARAMETER = /^[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=("|[^\s;,"]+)/

/** A quote that closes a value where backslashes mean nothing, as browsers write them: the end of the value follows. */
const CLOSING = /"[ \t]*(?:;|$)/

/** A quote that closes a value where a backslash escapes a quote (RFC 9110 §5.6.4). */
const UNESCAPED = /(?<!\\)"/

/**
 * The parameters of a Content-Disposition or a Content-Type, by lower-case name, without a prototype. The first of two
 * with the same name counts. Browsers do not escape backslashes, other clients do: both forms are tried.
 * @returns `undefined` for another type than `type`, which is in lower case, and for a text that breaks the grammar
 */
export const parametersOf = (text: string, type: string): Readonly<Record<string, string>> | undefined => {
  const head = text.split(';', 1)[0]!
  if (head.trim().toLowerCase() !== type) return undefined
  const rest = text.slice(head.length)
  return read(rest, CLOSING) ?? read(rest, UNESCAPED)
}

const read = (text: string, closing: RegExp): Record<string, string> | undefined => {
  const params: Record<string, string> = Object.create(null)
  let rest = text
  for (let match = PARAMETER.exec(rest); match; match = PARAMETER.exec(rest)) {
    rest = rest.slice(match[0].length)
    let value = match[2]!
    if (value === '"') {
      const end = rest.search(closing)
      value = rest.slice(0, end).replaceAll('\\"', '"')
      rest = rest.slice(end + 1)
      if (end < 0) return undefined
    }
    params[match[1]!.toLowerCase()] ??= value
  }
  return /[^ \t;]/.test(rest) ? undefined : params
}
