/** The Host header, or HTTP/2's `:authority`; a request with several of them has no host. */
export const hostOf = (raw: readonly string[]): string | undefined => {
  let host: string | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!
    if (name !== ':authority' && (name.length !== 4 || name.toLowerCase() !== 'host')) continue
    if (host !== undefined && host !== raw[index + 1]) return ''
    host = raw[index + 1]!
  }
  return host
}
