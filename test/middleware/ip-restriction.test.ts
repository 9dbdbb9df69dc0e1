import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/internal/client/address.ts'
import { inRange, parseRange } from '../../src/internal/client/range.ts'
import { type IpRestrictionOptions, ipRestriction } from '../../src/middleware/ip-restriction.ts'
import { text } from '../../src/respond/text.ts'
import { runs } from '../fuzz.ts'
import { doors } from '../harness.ts'

describe.each(doors)('MX7: ipRestriction through %s', (_, door) => {
  const statusOf = async (options: IpRestrictionOptions, address?: string) => {
    const fetch = door({ use: [ipRestriction({ trustProxy: 1, ...options })], routes: [['GET', '/', () => text('x')]] })
    const headers = address === undefined ? {} : { 'x-forwarded-for': address }
    return (await fetch(new Request('http://localhost/', { headers }))).status
  }

  test.each<[string, IpRestrictionOptions, string | undefined, number]>([
    ['the first address of a range', { allow: ['10.0.0.0/8'] }, '10.0.0.0', 200],
    ['the last address of a range', { allow: ['10.0.0.0/8'] }, '10.255.255.255', 200],
    ['the address before a range', { allow: ['10.0.0.0/8'] }, '9.255.255.255', 403],
    ['the address after a range', { allow: ['10.0.0.0/8'] }, '11.0.0.0', 403],
    ['one address', { allow: ['192.0.2.1'] }, '192.0.2.1', 200],
    ['another one', { allow: ['192.0.2.1'] }, '192.0.2.2', 403],
    ['IPv4 in IPv6', { allow: ['192.0.2.0/24'] }, '::ffff:192.0.2.9', 200],
    ['IPv4 in IPv6, in hexadecimal', { deny: ['192.0.2.0/24'] }, '::ffff:c000:209', 403],
    ['a rule in the mapped form', { allow: ['::ffff:192.0.2.0/120'] }, '192.0.2.9', 200],
    ['IPv6', { allow: ['2001:db8::/32'] }, '2001:DB8:ffff::1', 200],
    ['IPv6 outside', { allow: ['2001:db8::/32'] }, '2001:db9::', 403],
    ['all IPv6 is not all IPv4', { allow: ['::/0'] }, '192.0.2.1', 403],
    ['all IPv6', { allow: ['::/0'] }, '2001:db8::1', 200],
    ['all IPv4', { allow: ['0.0.0.0/0'] }, '192.0.2.1', 200],
    ['all IPv4 is no IPv6', { allow: ['0.0.0.0/0'] }, '2001:db8::1', 403],
    ['deny alone lets others pass', { deny: ['10.0.0.0/8'] }, '11.0.0.1', 200],
    ['deny wins over allow', { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] }, '10.1.2.3', 403],
    ['F15: denied IPv4 behind a translator', { deny: ['192.0.2.0/24'] }, '64:ff9b::192.0.2.9', 403],
    ['F15: the same in hexadecimal', { deny: ['192.0.2.9'] }, '64:FF9B:0:0::c000:209', 403],
    ['F15: other IPv4 behind a translator', { deny: ['192.0.2.0/24'] }, '64:ff9b::198.51.100.1', 200],
    ['F15: a translator whose whole prefix is denied', { deny: ['64:ff9b::/96'] }, '64:ff9b::192.0.2.9', 403],
    ['F15: no translator stands for an allowed IPv4', { allow: ['10.0.0.0/8'] }, '64:ff9b::10.0.0.1', 403],
    ['an empty list allows no address', { allow: [] }, '10.0.0.1', 403],
    ['an unknown address', { deny: ['10.0.0.0/8'] }, undefined, 403],
    ['a text that is no address', { deny: ['10.0.0.0/8'] }, 'unknown', 403],
    ['a header that is not trusted', { allow: ['10.0.0.1'], trustProxy: false }, '10.0.0.1', 403],
  ])('MX7: %s', async (_, options, address, status) => {
    expect(await statusOf(options, address)).toBe(status)
  })

  test.each<[string, Partial<IpRestrictionOptions>, number]>([
    ['is refused', {}, 403],
    ['is refused with false', { unixSocket: false }, 403],
    ['is allowed with unixSocket', { unixSocket: true }, 200],
  ])('MX7: a client of a UNIX socket, which has no address, %s', async (_, options, status) => {
    const fetch = door({
      use: [ipRestriction({ deny: ['10.0.0.0/8'], ...options })],
      routes: [['GET', '/', () => text('x')]],
    })
    expect((await fetch(new Request('http://localhost/'), {}, { peer: '' } as never)).status).toBe(status)
  })

  test('MX7: the header of a proxy of your own', async () => {
    const fetch = door({
      use: [ipRestriction({ allow: ['10.0.0.1'], trustProxy: 1, header: 'x-real-ip' })],
      routes: [['GET', '/', () => text('x')]],
    })
    const ask = (headers: Record<string, string>) => fetch(new Request('http://localhost/', { headers }))
    expect((await ask({ 'x-real-ip': '10.0.0.1' })).status).toBe(200)
    expect((await ask({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(403)
  })

  test('MX7: the refusal', async () => {
    const fetch = door({ use: [ipRestriction({ allow: [] })], routes: [['GET', '/', () => text('x')]] })
    const response = await fetch('/')
    expect({ status: response.status, json: await response.json() }).toEqual({
      status: 403,
      json: { error: 'Forbidden' },
    })
  })
})

test.each<[string, any, string]>([
  ['no rule', {}, 'ipRestriction: allow: expected a list of addresses and ranges, or deny, got undefined'],
  [
    'a text in place of a list',
    { allow: '10.0.0.1' },
    'ipRestriction: allow: expected a list of addresses and ranges, got "10.0.0.1"',
  ],
  ...[
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0/8',
    'localhost',
    '::/129',
    '',
    '10.0.0.1/8/8',
    '010.0.0.1',
  ].map((rule): [string, any, string] => [
    `the rule "${rule}"`,
    { deny: [rule] },
    `ipRestriction: deny: expected an address or a range such as 10.0.0.0/8, got "${rule}"`,
  ]),
  ['an unknown option', { allows: [] }, 'ipRestriction: allows: unknown option, did you mean "allow"?'],
])('MX7: refuses %s', (_, options, message) => {
  expect(() => ipRestriction(options)).toThrow(new TypeError(message))
})

describe('MX7: ranges against ipaddr.js', () => {
  const v4 = fc.tuple(...Array.from({ length: 4 }, () => fc.oneof(fc.constantFrom(0, 127, 128, 255), fc.nat(255))))
  const v6 = fc.tuple(...Array.from({ length: 8 }, () => fc.oneof(fc.constantFrom(0, 0xffff, 0x8000), fc.nat(0xffff))))
  const spelled4 = v4.map((octets) => octets.join('.'))
  const spelled6 = v6.map((groups) => groups.map((group) => group.toString(16)).join(':'))

  /** Two addresses that share a random number of bits. */
  const near = (first: string, second: string, bits: number): string => {
    const [a, b] = [ipaddr.parse(first).toByteArray(), ipaddr.parse(second).toByteArray()]
    const bytes = a.map((byte, index) => {
      const mask = (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff
      return (byte & mask) | (b[index]! & ~mask & 0xff)
    })
    return ipaddr.fromByteArray(bytes).toString()
  }

  test.each([
    ['IPv4', spelled4, 32],
    ['IPv6', spelled6, 128],
  ] as const)('MX7: %s', (_, address, width) => {
    fc.assert(
      fc.property(address, address, fc.nat(width), fc.nat(width), (base, other, bits, shared) => {
        const asked = near(base, other, shared)
        const expected = (ipaddr.parse(asked) as ipaddr.IPv6).match(ipaddr.parse(base) as ipaddr.IPv6, bits)
        // What ipaddr.js takes for IPv6 alone is IPv4 for us
        if (width === 128 && [base, asked].some((one) => (ipaddr.parse(one) as ipaddr.IPv6).isIPv4MappedAddress()))
          return
        expect({ base, bits, asked, inRange: inRange(parseAddress(asked)!, parseRange(`${base}/${bits}`)!) }).toEqual({
          base,
          bits,
          asked,
          inRange: expected,
        })
      }),
      { numRuns: runs(20_000) },
    )
  })
})
