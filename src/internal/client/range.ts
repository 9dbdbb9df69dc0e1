import { checkOption } from '../options/check.ts'
import { type Address, isIPv4, maskAddress, parseAddress } from './address.ts'

/** The first address of a range, and how many of its 128 bits count. */
export interface Range {
  readonly base: string
  readonly bits: number
}

/** Parse an address or a CIDR range (RFC 4632, RFC 4291 §2.3); `undefined` for anything else. */
export const parseRange = (text: string): Range | undefined => {
  const [, base = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(base)
  const bits = length ? Number(length) + (base.includes(':') ? 0 : 96) : 128
  return address && bits <= 128 ? { base: `${maskAddress(address, bits)}`, bits } : undefined
}

export const rangesOf = (list: readonly string[], name: string): Range[] =>
  list.map((text) => {
    const range = parseRange(text)
    checkOption(range, name, 'an address or a range such as 10.0.0.0/8', text)
    return range
  })

/** A wide IPv6 range such as `::/0` does not contain IPv4, although its bits cover it. */
export const inRange = (address: Address, { base, bits }: Range): boolean =>
  (bits >= 96 || !isIPv4(address)) && `${maskAddress(address, bits)}` === base
