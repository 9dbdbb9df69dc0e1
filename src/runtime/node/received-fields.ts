export const receivedField = (raw: readonly string[], name: string): string | null => {
  const { length } = name
  let joined: string | null = null
  for (let index = 0; index < raw.length; index += 2) {
    const key = raw[index]!
    if (key.length !== length || (key !== name && key.toLowerCase() !== name.toLowerCase())) continue
    joined = joined === null ? raw[index + 1]! : `${joined}${/^cookie$/i.test(name) ? '; ' : ', '}${raw[index + 1]}`
  }
  return joined
}

/** The fields of a message, names in lower case, without the pseudo-fields of HTTP/2, which Fetch does not show. */
export const receivedFields = (raw: readonly string[]): string[] =>
  raw
    .map((text, index) => (index % 2 ? text : text.toLowerCase()))
    .filter((_, index, all) => !all[index - (index % 2)]!.startsWith(':'))

/** The Host header or `:authority`; `''`, an invalid host, for two Host headers (RFC 9112 §3.2) or different values. */
export const hostOf = (raw: readonly string[]): string | undefined => {
  let host: string | undefined
  let fields = 0
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!
    const isPseudo = name === ':authority'
    if (!isPseudo && (name.length !== 4 || name.toLowerCase() !== 'host')) continue
    if (!isPseudo && ++fields > 1) return ''
    if (host !== undefined && host !== raw[index + 1]) return ''
    host = raw[index + 1]!
  }
  return host
}
