import { canParse } from './can-parse.ts'

/** Eight groups of 16 bits. IPv4 is mapped to `::ffff:0:0/96`, so one comparison works for both. */
export type Address = readonly number[]

/** Decimal octets without leading zeros, which some parsers would read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Parse an IPv4 or IPv6 address, with or without brackets, and without its zone; `undefined` for anything else. */
export const parseAddress = (text: string): Address | undefined =>
  parseIPv6(IPV4.test(text) ? `::ffff:${text}` : text.replace(/^\[|\]$/g, ''))

/** The URL parser knows the grammar, and returns the format of RFC 5952; the longest address has 45 characters. */
const parseIPv6 = (text: string): Address | undefined => {
  const bare = text.replace(/%.*/s, '')
  if (!/^[\da-f:.]{2,45}$/i.test(bare) || !bare.includes(':') || !canParse(`http://[${bare}]`)) return undefined
  return groupsOf(new URL(`http://[${bare}]`).hostname.slice(1, -1))
}

/** The canonical form of an address: dotted for IPv4, RFC 5952 for IPv6. */
export const formatAddress = (address: Address): string =>
  isIPv4(address) ? toDotted(address) : new URL(`http://[${toText(address)}]`).hostname.slice(1, -1)

/** Whether it is an IPv4 address, which IPv6 sockets show as `::ffff:192.0.2.1`. */
export const isIPv4 = (address: Address): boolean => address[5] === 0xffff && !address.slice(0, 5).some(Boolean)

export const maskAddress = (address: Address, bits: number): Address =>
  address.map((group, index) => group & (0xffff << Math.min(16, Math.max(0, 16 * index + 16 - bits))))

/** IPv4 in IPv6: on a socket for both (RFC 4291 §2.5.5.2), and behind a translator (RFC 6052 §2.1). */
const HOLDS_IPV4 = /^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/

/** The key of one client: an IPv4 address, the network of an IPv6 address, or any other text unchanged. */
export const networkOf = (text: string, bits: number = 56): string => {
  // The form that most sockets report needs no parser
  const [, ipv4] = /^(?:::ffff:)?(\d+(?:\.\d+){3})$/.exec(text) ?? []
  if (ipv4) return ipv4
  const address = parseIPv6(text)
  if (!address) return text
  return HOLDS_IPV4.test(toText(address)) ? toDotted(address) : `${toText(maskAddress(address, bits))}/${bits}`
}

const toDotted = (address: Address): string =>
  address
    .slice(6)
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')

const groupsOf = (text: string): Address =>
  text
    .replace('::', `:${'0:'.repeat(9 - text.split(':').length)}`)
    .split(':')
    .map((group) => Number.parseInt(group, 16) || 0)

const toText = (address: Address): string => address.map((group) => group.toString(16)).join(':')
