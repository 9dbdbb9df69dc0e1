/** Hop-by-hop headers (RFC 9110 §7.6.1), and `expect`: the platform's `fetch` refuses requests with most of them. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** A copy of a flat field list without hop-by-hop headers. */
export const forwardable = (fields: readonly string[]): string[] => {
  const listed = fields.filter((_, index) => index % 2 && fields[index - 1] === 'connection').join(',')
  const hopNames = new Set(listed.split(',').map((name) => name.trim().toLowerCase()))
  return fields.filter((_, index) => {
    const name = fields[index - (index % 2)]!
    return !CONNECTION_FIELDS.has(name) && !hopNames.has(name)
  })
}
