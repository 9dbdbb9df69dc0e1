/** The value of one header, directly from the parser's list. */
export const receivedField = (raw: readonly string[], name: string): string | null => {
  const { length } = name
  let found: string | null = null
  for (let index = 0; index < raw.length; index += 2) {
    const key = raw[index]!
    if (key.length !== length || (key !== name && key.toLowerCase() !== name.toLowerCase())) continue
    found =
      found === null
        ? raw[index + 1]!
        : `${found}${length === 6 && /cookie/i.test(name) ? '; ' : ', '}${raw[index + 1]}`
  }
  return found
}
