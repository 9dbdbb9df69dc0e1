import { checkOption } from '../options/check.ts'
import { checkNoPromise } from '../promise/check-no-promise.ts'
import { parseAddress } from './address.ts'
import { inRange, rangesOf } from './range.ts'

/**
 * The hops that are trusted to name the one before them: `false` for none, the number of proxies in front of the
 * application, their addresses and CIDR ranges, or a function. Hop 0 is the socket's peer, whose address is `''` on a
 * unix socket.
 */
export type TrustProxy = false | number | readonly string[] | ((address: string, hop: number) => boolean)

/** Whether a hop is trusted to name the one before it; the address is `undefined` if unknown. */
export type TrustTest = (address: string | undefined, hop: number) => boolean

/**
 * The rule as a function. Only a number of hops trusts an unknown address, because it may be anybody's.
 *
 * @param feature the function whose option it is
 * @throws {TypeError} for `true`, which would trust everybody, and for an invalid rule.
 */
export const trustOf = (trustProxy: TrustProxy, feature: string): TrustTest => {
  if (typeof trustProxy === 'function')
    return (address, hop) => {
      const trusted = address !== undefined && trustProxy(address, hop)
      // It would be taken for true
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
  checkOption(
    Number.isInteger(hops) && hops >= 0,
    `${feature}: trustProxy`,
    'a number of hops, a list of addresses and ranges, or a function',
    trustProxy,
  )
  return (_, hop) => hop < hops
}
