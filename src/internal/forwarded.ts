import { formatAddress, parseAddress } from './address.ts'

/** The node of a `Forwarded` element: `for=192.0.2.60`, `for="[2001:db8::17]:4711"` (RFC 7239 §4). */
const FOR = /^for=(?:"([^"]*)"|([^"]*))$/i

/** An address with a port behind it; a bare IPv6 address ends in the same way, but has colons before. */
const WITH_PORT = /^(?:\[.*\]|[^:]*):\d{1,5}$/

/**
 * The address in one element of a `Forwarded` header; `undefined` for `unknown`, `_hidden` and anything else that is
 * none.
 */
export const forOf = (element: string): string | undefined => {
  for (const pair of element.split(';')) {
    const match = FOR.exec(pair.trim())
    if (match) return addressOf(match[1] ?? match[2]!)
  }
  return undefined
}

/** An address in its one spelling, without a port; `undefined` when it is none. */
export const addressOf = (entry: string): string | undefined => {
  const text = entry.trim()
  const address = parseAddress(WITH_PORT.test(text) ? text.slice(0, text.lastIndexOf(':')) : text)
  return address && formatAddress(address)
}
