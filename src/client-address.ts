import { peerOf } from '#runtime/core'
import { networkOf } from './internal/client/address.ts'
import { addressOf, forOf } from './internal/client/forwarded.ts'
import { type TrustProxy, trustOf, walkHops } from './internal/client/trust.ts'
import { isToken } from './internal/header/field-name.ts'
import { checkNames, checkOption } from './internal/options/check.ts'
import type { AnyContext } from './internal/types/context.ts'

export type { TrustProxy } from './internal/client/trust.ts'

/** Options of {@link clientAddress}. */
export interface ClientAddressOptions {
  /** Trusted proxies: their number, their addresses and CIDR ranges, or a function. @default false */
  readonly trustProxy?: TrustProxy
  /**
   * Header that the trusted proxies write: one with a list of addresses, or `forwarded` (RFC 7239). No other is read,
   * because a proxy passes others on as the client sent them. @default 'x-forwarded-for'
   */
  readonly header?: string
}

/** Options of {@link clientKey}. */
export interface ClientKeyOptions extends ClientAddressOptions {
  /** Length of the IPv6 prefix that counts as one client, in bits. @default 56 */
  readonly ipv6Prefix?: number
}

type AddressContext = Pick<AnyContext, 'request' | 'env' | 'execution' | 'header'>

/**
 * Address of the client: that of the socket, or, behind trusted proxies, the one in their header. The header is read
 * from the right. An entry is used only if the proxy that wrote it is trusted, so entries of the client itself are
 * never reached. Reading stops at an entry that is not an address. IPv4 addresses are dotted, even if the socket
 * reports `::ffff:192.0.2.1`; IPv6 addresses are formatted as in RFC 5952.
 *
 * @returns `''` on a Unix socket, `undefined` if the address is unknown: refuse such requests where it matters
 * @throws {TypeError} for invalid options.
 * @example
 * clientAddress(ctx, { trustProxy: ['10.0.0.0/8'] })
 */
export const clientAddress = (ctx: AddressContext, options: ClientAddressOptions = {}): string | undefined =>
  addressReader(options)(ctx)

/**
 * {@link clientAddress} with its options checked and compiled once.
 *
 * @example
 * const addressOf = addressReader({ trustProxy: 1 })
 */
export const addressReader = (options: ClientAddressOptions = {}): ((ctx: AddressContext) => string | undefined) => {
  checkNames('clientAddress', options, 'trustProxy header ipv6Prefix')
  const { trustProxy = false, header = 'x-forwarded-for' } = options
  checkOption(isToken(header), 'clientAddress: header', 'a field name', header)
  const trusts = trustOf(trustProxy, 'clientAddress')
  const read = header.toLowerCase() === 'forwarded' ? forOf : addressOf
  return (ctx) => {
    const peer = peerOf(ctx.request, ctx.env, ctx.execution)
    const entries = (): string[] => (ctx.header(header) ?? '').split(',')
    return walkHops(peer && (addressOf(peer) ?? peer), trusts, entries, read).address
  }
}

/**
 * Key for a rate limiter behind trusted proxies: the IPv4 address of a client, or the network of its IPv6 address.
 *
 * @throws {TypeError} when created, for invalid options.
 * @example
 * rateLimiter({ max: 100, windowMs: 60_000, keyGenerator: clientKey({ trustProxy: 1 }) })
 */
export const clientKey = (options: ClientKeyOptions = {}): ((ctx: AddressContext) => string | undefined) => {
  const { ipv6Prefix = 56 } = options ?? {}
  const isPrefix = Number.isInteger(ipv6Prefix) && ipv6Prefix > 0 && ipv6Prefix <= 128
  checkOption(isPrefix, 'clientKey: ipv6Prefix', 'a number of bits from 1 to 128', ipv6Prefix)
  const read = addressReader(options)
  return (ctx) => {
    const address = read(ctx)
    return address && networkOf(address, ipv6Prefix)
  }
}
