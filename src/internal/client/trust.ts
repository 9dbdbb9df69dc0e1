import { checkOption } from '../options/check.ts'
import { checkNoPromise } from '../promise/check-no-promise.ts'
import { parseAddress } from './address.ts'
import { inRange, rangesOf } from './range.ts'

/**
 * The proxies that are trusted to name the hop before them: `false` for none, their number, their addresses and CIDR
 * ranges, or a function. Hop 0 is the socket's peer, whose address is `''` on a Unix socket.
 */
export type TrustProxy = false | number | readonly string[] | ((address: string, hop: number) => boolean)

/** Tells whether a hop is trusted; its address is `undefined` if unknown. */
export type TrustTest = (address: string | undefined, hop: number) => boolean

/**
 * The rule as a function. An unknown address, which may be anybody's, is trusted only by a number of hops.
 *
 * @throws {TypeError} for an invalid rule, such as `true`.
 */
export const trustOf = (trustProxy: TrustProxy, feature: string): TrustTest => {
  if (typeof trustProxy === 'function')
    return (address, hop) => {
      const trusted = address !== undefined && trustProxy(address, hop)
      checkNoPromise(trusted, `${feature}: trustProxy`, 'a boolean')
      return trusted
    }
  if (Array.isArray(trustProxy)) {
    const ranges = rangesOf(trustProxy, `${feature}: trustProxy`)
    return (text) => {
      const address = parseAddress(text ?? '')
      return address !== undefined && ranges.some((range) => inRange(address, range))
    }
  }
  const hops = Number(trustProxy === false ? 0 : typeof trustProxy === 'boolean' ? Number.NaN : trustProxy)
  const expected = 'a number of hops, a list of addresses and ranges, or a function'
  checkOption(Number.isInteger(hops) && hops >= 0, `${feature}: trustProxy`, expected, trustProxy)
  return (_, hop) => hop < hops
}

/**
 * Walk from the socket's peer towards the client. An entry is used only if the hop that wrote it is trusted.
 *
 * @param entries the list to which hops add on the right
 * @param read returns the address in an entry; without one the walk stops
 * @returns the address of the client, and how many hops are trusted, including the socket's peer
 */
export const walkHops = (
  peer: string | undefined,
  trusts: TrustTest,
  entries: () => string[],
  read: (entry: string) => string | undefined,
): { readonly address: string | undefined; readonly trusted: number } => {
  let address = peer
  let list: string[] | undefined
  let trusted = 0
  while (trusts(address, trusted)) {
    trusted++
    list ??= entries()
    const entry = read(list.pop() ?? '')
    if (!entry) break
    address = entry
  }
  return { address, trusted }
}
