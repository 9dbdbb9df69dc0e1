import { formatAddress, parseAddress } from './address.ts'

/** An address with a port; a bare IPv6 address ends in the same way, but has more colons before. */
const WITH_PORT = /^(?:\[.*\]|[^:]*):\d{1,5}$/

/** The value of a pair in one element of a `Forwarded` header: `for=192.0.2.60`, `proto=https` (RFC 7239 §4). */
export const pairOf = (element: string, name: string): string | undefined => {
  for (const pair of element.split(';')) {
    const [key = '', value] = splitPair(pair.trim())
    if (value === undefined || key.toLowerCase() !== name) continue
    const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
    return bare.includes('"') ? undefined : bare
  }
  return undefined
}

const splitPair = (pair: string): [string, string?] => {
  const at = pair.indexOf('=')
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)]
}

/** The address in one element of a `Forwarded` header; `undefined` for `unknown`, `_hidden` and anything else. */
export const forOf = (element: string): string | undefined => {
  const node = pairOf(element, 'for')
  return node && addressOf(node)
}

/** An address in its canonical form, without a port; `undefined` for anything else. */
export const addressOf = (entry: string): string | undefined => {
  const text = entry.trim()
  const address = parseAddress(WITH_PORT.test(text) ? text.slice(0, text.lastIndexOf(':')) : text)
  return address && formatAddress(address)
}
