import { formatAddress, parseAddress } from './address.ts'

/** An address with a port. A bare IPv6 address also ends in digits, but has more colons. */
const WITH_PORT = /^(?:\[.*\]|[^:]*):\d{1,5}$/

/** The value of a pair in one element of a `Forwarded` header: `for=192.0.2.60`, `proto=https` (RFC 7239 §4). */
export const pairOf = (element: string, name: string): string | undefined => {
  const pair = element.split(';').find((text) => text.trim().toLowerCase().startsWith(`${name}=`))
  const bare = pair
    ?.trim()
    .slice(name.length + 1)
    .replace(/^"(.*)"$/s, '$1')
  return bare?.includes('"') ? undefined : bare
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
