/** The value of one header, directly from the parser's list. */
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
