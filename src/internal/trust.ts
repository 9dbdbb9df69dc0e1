import { maskAddress, parseAddress } from './address.ts'
import { need } from './need.ts'

/**
 * Which hops may speak for the one before them: `false` for none, the number of proxies in front of the application,
 * their addresses and CIDR ranges, or a function. Hop 0 is the socket's peer, whose address is `''` on a unix socket.
 */
export type TrustProxy = false | number | readonly string[] | ((address: string, hop: number) => boolean)

/**
 * The rule as a function.
 *
 * @throws {TypeError} for `true`, which would believe anybody, and for anything that is no rule.
 */
export const trustOf = (trustProxy: TrustProxy): ((address: string, hop: number) => boolean) => {
  if (typeof trustProxy === 'function') return trustProxy
  if (Array.isArray(trustProxy)) {
    const ranges = trustProxy.map(rangeOf)
    return (text) => {
      const address = parseAddress(text)
      return address !== undefined && ranges.some(([base, bits]) => `${maskAddress(address, bits)}` === base)
    }
  }
  const hops = Number(trustProxy === false ? 0 : trustProxy === (true as never) ? Number.NaN : trustProxy)
  need(
    Number.isInteger(hops) && hops >= 0,
    'trustProxy',
    trustProxy,
    'a number of hops, a list of addresses and ranges, or a function',
  )
  return (_, hop) => hop < hops
}

/** The first address of a range, spelled, and how many bits are compared. */
const rangeOf = (text: string): [string, number] => {
  const [base = '', length] = text.split('/', 2)
  const address = parseAddress(base)
  const width = base.includes(':') ? 128 : 32
  const bits = length === undefined ? width : Number(length || Number.NaN)
  need(
    address && Number.isInteger(bits) && bits >= 0 && bits <= width,
    'trustProxy',
    text,
    'an address or a range such as 10.0.0.0/8',
  )
  return [`${maskAddress(address!, 128 - width + bits)}`, 128 - width + bits]
}
