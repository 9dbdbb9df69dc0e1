/**
 * The Host header, or HTTP/2's `:authority`. A request with two Host headers, even the same, has no valid host (RFC
 * 9112 §3.2), nor has one whose `:authority` is another.
 */
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
