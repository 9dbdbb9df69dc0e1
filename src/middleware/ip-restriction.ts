import { addressReader, type ClientAddressOptions } from '../client-address.ts'
import type { Middleware } from '../context.ts'
import { parseAddress } from '../internal/client/address.ts'
import { inRange, parseRange, type Range } from '../internal/client/range.ts'
import { checkNames, checkOption } from '../internal/options.ts'
import { refuse } from '../refuse.ts'

/** Options of {@link ipRestriction}: `allow`, `deny` or both. */
export interface IpRestrictionOptions extends ClientAddressOptions {
  /** Addresses and CIDR ranges that may pass, and no others: `10.0.0.0/8`, `2001:db8::/32`. @default all */
  readonly allow?: readonly string[]
  /** Addresses and ranges that may not, even if `allow` names them. @default none */
  readonly deny?: readonly string[]
  /** Let clients on a unix socket pass: they are on this machine, and have no address. @default false */
  readonly unixSocket?: boolean
}

/**
 * Let clients through by their address: 403 `{ error: 'Forbidden' }` for others, and for those whose address nobody
 * knows.
 *
 * Reads the socket's address, IPv4 in its IPv6 form as well; behind proxies `trustProxy` says which fields are believed.
 *
 * @throws {TypeError} when created, without `allow` and `deny`, or for a text that is not an address or a range.
 * @example
 * app.use('/admin/*', ipRestriction({ allow: ['10.0.0.0/8', '2001:db8::/32'] }))
 */
export const ipRestriction = (options: IpRestrictionOptions): Middleware => {
  checkNames('ipRestriction', options, 'allow deny unixSocket:boolean trustProxy header')
  const { allow, deny, unixSocket, trustProxy, header } = options
  checkOption(allow ?? deny, 'ipRestriction: allow', 'a list of addresses and ranges, or deny', allow)
  const allowed = allow && rangesOf('allow', allow)
  const denied = rangesOf('deny', deny ?? [])
  const read = addressReader({
    ...(trustProxy !== undefined && { trustProxy }),
    ...(header !== undefined && { header }),
  })

  const isAllowed = (text: string | undefined): boolean => {
    if (text === '') return !!unixSocket
    const address = parseAddress(text ?? '')
    const within = (range: Range): boolean => !!address && inRange(address, range)
    return !!address && !denied.some(within) && (!allowed || allowed.some(within))
  }

  return function ipRestriction(ctx, next) {
    return isAllowed(read(ctx)) ? next() : refuse(ctx, 403, 'Forbidden')
  }
}

const rangesOf = (option: string, list: readonly string[]): Range[] => {
  checkOption(Array.isArray(list), `ipRestriction: ${option}`, 'a list of addresses and ranges', list)
  return list.map((text) => {
    const range = parseRange(text)
    checkOption(range, `ipRestriction: ${option}`, 'an address or a range such as 10.0.0.0/8', text)
    return range
  })
}
