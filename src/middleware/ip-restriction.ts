import { addressReader, type ClientAddressOptions } from '../client-address.ts'
import { networkOf, parseAddress } from '../internal/client/address.ts'
import { inRange, type Range, rangesOf } from '../internal/client/range.ts'
import { checkNames, checkOption } from '../internal/options/check.ts'
import type { Middleware } from '../internal/types/context.ts'
import { refuse } from '../pipe/refuse.ts'

/** Options of {@link ipRestriction}: `allow`, `deny` or both. */
export interface IpRestrictionOptions extends ClientAddressOptions {
  /** The only addresses and CIDR ranges that are accepted: `10.0.0.0/8`, `2001:db8::/32`. @default all */
  readonly allow?: readonly string[]
  /** Addresses and ranges that are refused, even if `allow` contains them. @default none */
  readonly deny?: readonly string[]
  /** Accept clients of a Unix socket, which are on this machine and have no address. @default false */
  readonly unixSocket?: boolean
}

/**
 * Accept clients by their address: 403 `{ error: 'Forbidden' }` for others, and for those with an unknown address.
 *
 * Reads the socket's address, including IPv4 in its IPv6 form; behind proxies, `trustProxy` says whom to trust.
 *
 * @throws {TypeError} when created, without `allow` and `deny`, or for a string that is not an address or a range.
 * @example
 * app.use('/admin/*', ipRestriction({ allow: ['10.0.0.0/8', '2001:db8::/32'] }))
 */
export const ipRestriction = (options: IpRestrictionOptions): Middleware => {
  checkNames('ipRestriction', options, 'allow deny unixSocket:boolean trustProxy header')
  const { allow, deny, unixSocket, trustProxy, header } = options
  checkOption(allow ?? deny, 'ipRestriction: allow', 'a list of addresses and ranges, or deny', allow)
  const read = (option: string, list: readonly string[]): Range[] => {
    checkOption(Array.isArray(list), `ipRestriction: ${option}`, 'a list of addresses and ranges', list)
    return rangesOf(list, `ipRestriction: ${option}`)
  }
  const allowed = allow && read('allow', allow)
  const denied = read('deny', deny ?? [])
  // `undefined` stands for the default
  const addressOf = addressReader({ trustProxy, header } as ClientAddressOptions)

  const isAllowed = (text: string | undefined): boolean => {
    if (text === '') return !!unixSocket
    const address = parseAddress(text ?? '')
    if (!address) return false
    // Behind a translator (RFC 6052 §2.1), a denied IPv4 client has an IPv6 address
    const translated = parseAddress(networkOf(text!)) ?? address
    if (denied.some((range) => inRange(address, range) || inRange(translated, range))) return false
    return !allowed || allowed.some((range) => inRange(address, range))
  }

  const middleware: Middleware = function ipRestriction(ctx, next) {
    return isAllowed(addressOf(ctx)) ? next() : refuse(ctx, 403, 'Forbidden')
  }
  return Object.assign(middleware, { describes: { statuses: [403] } })
}
