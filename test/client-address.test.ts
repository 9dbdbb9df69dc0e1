import { createRequire } from 'node:module'
import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { addressReader, type ClientAddressOptions, clientAddress, clientKey } from '../src/client-address.ts'
import { formatAddress, networkOf, parseAddress } from '../src/internal/client/address.ts'
import { forOf } from '../src/internal/client/forwarded.ts'
import { text } from '../src/respond/text.ts'
import { runs } from './fuzz.ts'
import { expectLinear } from './growth.ts'
import { doors } from './harness.ts'

// A dependency of Express, without types of its own
const proxyAddr: (request: object, trust: unknown) => string = createRequire(
  createRequire(import.meta.url).resolve('express'),
)('proxy-addr')

/** No socket here, so the test says who the peer is. */
vi.mock('#runtime/core', async (original) => ({
  ...(await original<object>()),
  peerOf: (request: Request) => request.headers.get('test-peer') ?? undefined,
}))

const normal = (address: string): string | undefined => {
  const parsed = parseAddress(address)
  return parsed && formatAddress(parsed)
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['256.0.0.1', undefined],
  ['1.2.3', undefined],
  ['1.2.3.4.5', undefined],
  ['1.2.3.4.', undefined],
  ['010.1.1.1', undefined],
  ['0x7f.1.1.1', undefined],
  ['1.2.3.-4', undefined],
  ['2130706433', undefined],
  ['::1', '::1'],
  ['::', '::'],
  ['[::1]', '::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['::ffff:192.0.2.256', undefined],
  ['1::2::3', undefined],
  ['1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['12345::', undefined],
  [':::', undefined],
  ['', undefined],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['localhost', undefined],
  ['::1\r\nx: y', undefined],
  [`${'0'.repeat(60_000)}::1`, undefined],
])('the address %j is read as %j', (text, expected) => {
  expect(normal(text)).toBe(expected)
})

test('every text that is parsed as an address is an address for Node too, and its normalized form is stable', () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4Extended(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.[]%'), maxLength: 20 }),
  )
  fc.assert(
    fc.property(text, (address) => {
      const spelled = normal(address)
      if (isIPv4(address) || isIPv6(address)) expect(spelled).toBeDefined()
      if (spelled === undefined) return
      expect(isIPv4(spelled) || isIPv6(spelled)).toBe(true)
      expect(normal(spelled)).toBe(spelled)
    }),
    { numRuns: runs(20_000) },
  )
})

test.each([
  ['192.0.2.7', 56, '192.0.2.7'],
  ['::ffff:192.0.2.7', 56, '192.0.2.7'],
  ['2001:db8:1:12ff::1', 56, '2001:db8:1:1200:0:0:0:0/56'],
  ['2001:db8:1:1200:ffff::', 56, '2001:db8:1:1200:0:0:0:0/56'],
  ['2001:db8:1:1300::1', 56, '2001:db8:1:1300:0:0:0:0/56'],
  ['2001:db8:1:12ff::1', 64, '2001:db8:1:12ff:0:0:0:0/64'],
  ['2001:db8:1:12ff::1', 128, '2001:db8:1:12ff:0:0:0:1/128'],
  ['::1', 56, '0:0:0:0:0:0:0:0/56'],
  ['::ffff:0', 56, '0:0:0:0:0:0:0:0/56'],
  ['::255.255.0.0', 56, '0:0:0:0:0:0:0:0/56'],
  // F15: IPv4 however it is spelled
  ['::ffff:c000:207', 56, '192.0.2.7'],
  ['::FFFF:C000:207', 56, '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:207', 56, '192.0.2.7'],
  ['64:ff9b::192.0.2.7', 56, '192.0.2.7'],
  ['64:ff9b::c000:207', 56, '192.0.2.7'],
  ['0064:FF9B:0:0:0:0:c000:207', 56, '192.0.2.7'],
  // F15: IPv4 in the low bits of a network is part of that network
  ['2001:db8:1:1200::192.0.2.7', 56, '2001:db8:1:1200:0:0:0:0/56'],
  ['2001:db8:1:1200::198.51.100.1', 56, '2001:db8:1:1200:0:0:0:0/56'],
  ['64:ff9b:1::192.0.2.7', 56, '64:ff9b:1:0:0:0:0:0/56'],
  ['64:ff9b::1:c000:207', 56, '64:ff9b:0:0:0:0:0:0/56'],
  ['fe80::1%eth0', 56, 'fe80:0:0:0:0:0:0:0/56'],
  ['not an address', 56, 'not an address'],
  ['', 56, ''],
])('ML6: %s counts by /%d as %s', (address, bits, expected) => {
  expect(networkOf(address, bits)).toBe(expected)
})

test('F15: all spellings of an address have one key', () => {
  const hex = (octets: number[]): string =>
    [0, 2].map((at) => (octets[at]! * 256 + octets[at + 1]!).toString(16)).join(':')
  fc.assert(
    fc.property(fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }), (octets) => {
      const dotted = octets.join('.')
      for (const prefix of ['::ffff:', '::FFFF:', '0:0:0:0:0:ffff:', '64:ff9b::', '64:FF9B:0:0:0:0:']) {
        expect(networkOf(prefix + dotted)).toBe(dotted)
        expect(networkOf(prefix + hex(octets))).toBe(dotted)
      }
    }),
    { numRuns: runs(5_000) },
  )
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(networkOf(address)).toBe(networkOf(normal(address)!))
    }),
    { numRuns: runs(50_000) },
  )
})

test.each([
  ['for=192.0.2.60', '192.0.2.60'],
  ['For="[2001:DB8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['proto=http;for=192.0.2.60;by=203.0.113.43', '192.0.2.60'],
  [' proto=http ; for="192.0.2.60:80" ', '192.0.2.60'],
  ['for=unknown', undefined],
  ['for=_gazonk', undefined],
  ['for="', undefined],
  ['by=192.0.2.60', undefined],
  ['', undefined],
])('the Forwarded element %j holds %j', (element, expected) => {
  expect(forOf(element)).toBe(expected)
})

describe.each(doors)('clientAddress through %s', (_, door) => {
  const ask = async (options: ClientAddressOptions | undefined, headers: Record<string, string>): Promise<string> => {
    const fetch = door({ routes: [['GET', '/', (ctx) => text(clientAddress(ctx, options) ?? 'none')]] })
    return (await fetch(new Request('http://localhost/', { headers }))).text()
  }
  const behind = (peer: string, list: string, name = 'x-forwarded-for') => ({ 'test-peer': peer, [name]: list })

  test.each<[string, ClientAddressOptions | undefined, Record<string, string>, string]>([
    ['the socket, and no header, by default', undefined, behind('10.0.0.1', '1.1.1.1'), '10.0.0.1'],
    ['trustProxy false', { trustProxy: false }, behind('10.0.0.1', '1.1.1.1'), '10.0.0.1'],
    ['no hop', { trustProxy: 0 }, behind('10.0.0.1', '1.1.1.1'), '10.0.0.1'],
    ['an IPv4 peer on an IPv6 socket', undefined, behind('::ffff:10.0.0.1', ''), '10.0.0.1'],
    ['one hop: the last entry', { trustProxy: 1 }, behind('10.0.0.1', '6.6.6.6, 1.1.1.1'), '1.1.1.1'],
    ['two hops: the entry before it', { trustProxy: 2 }, behind('10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2'), '1.1.1.1'],
    ['more hops than entries: the first entry', { trustProxy: 5 }, behind('10.0.0.1', '1.1.1.1, 10.0.0.2'), '1.1.1.1'],
    ['a missing header: the peer', { trustProxy: 1 }, { 'test-peer': '10.0.0.1' }, '10.0.0.1'],
    ['an empty header: the peer', { trustProxy: 1 }, behind('10.0.0.1', ''), '10.0.0.1'],
    [
      'an entry that is none ends the walk',
      { trustProxy: 3 },
      behind('10.0.0.1', '1.1.1.1, unknown, 10.0.0.2'),
      '10.0.0.2',
    ],
    ['a port behind an entry is dropped', { trustProxy: 1 }, behind('10.0.0.1', '1.1.1.1:4711'), '1.1.1.1'],
    ['a bracketed entry with port', { trustProxy: 1 }, behind('10.0.0.1', '[2001:DB8::1]:4711'), '2001:db8::1'],
    ['all of IPv6 is not IPv4', { trustProxy: ['::/0'] }, behind('10.0.0.1', '1.1.1.1'), '10.0.0.1'],
    ['all of IPv6, by a shorter range', { trustProxy: ['::/1'] }, behind('10.0.0.1', '1.1.1.1'), '10.0.0.1'],
    ['all of IPv6', { trustProxy: ['::/0'] }, behind('2001:db8::1', '1.1.1.1'), '1.1.1.1'],
    ['IPv4 as IPv6 writes it', { trustProxy: ['::ffff:10.0.0.0/104'] }, behind('10.0.0.1', '1.1.1.1'), '1.1.1.1'],
    ['a trusted range', { trustProxy: ['10.0.0.0/8'] }, behind('10.0.0.1', '6.6.6.6, 1.1.1.1, 10.9.9.9'), '1.1.1.1'],
    [
      'a peer outside the range is the client',
      { trustProxy: ['10.0.0.0/8'] },
      behind('11.0.0.1', '1.1.1.1'),
      '11.0.0.1',
    ],
    [
      'only trusted entries: the first',
      { trustProxy: ['10.0.0.0/8'] },
      behind('10.0.0.1', '10.0.0.3, 10.0.0.2'),
      '10.0.0.3',
    ],
    ['a single trusted address', { trustProxy: ['10.0.0.1'] }, behind('10.0.0.1', '10.0.0.2'), '10.0.0.2'],
    [
      'a range of IPv4 covers mapped peers',
      { trustProxy: ['10.0.0.0/8'] },
      behind('::ffff:10.0.0.1', '1.1.1.1'),
      '1.1.1.1',
    ],
    ['a range of IPv6', { trustProxy: ['fd00::/8'] }, behind('fd12::1', '1.1.1.1'), '1.1.1.1'],
    [
      'a range with bits between groups',
      { trustProxy: ['2001:db8:8000::/33'] },
      behind('2001:db8:7fff::1', '1.1.1.1'),
      '2001:db8:7fff::1',
    ],
    ['everything', { trustProxy: ['0.0.0.0/0'] }, behind('9.9.9.9', '1.1.1.1'), '1.1.1.1'],
    ['IPv4 everything is not IPv6', { trustProxy: ['0.0.0.0/0'] }, behind('::1', '1.1.1.1'), '::1'],
    [
      'a function',
      { trustProxy: (address, hop) => address === '10.0.0.1' && hop === 0 },
      behind('10.0.0.1', '10.0.0.1'),
      '10.0.0.1',
    ],
    ['another header', { trustProxy: 1, header: 'x-real-ip' }, behind('10.0.0.1', '1.1.1.1', 'x-real-ip'), '1.1.1.1'],
    [
      'Forwarded',
      { trustProxy: 1, header: 'Forwarded' },
      behind('10.0.0.1', 'for=6.6.6.6, for=1.1.1.1', 'forwarded'),
      '1.1.1.1',
    ],
    [
      'Forwarded is not read when it is not asked for',
      { trustProxy: 1 },
      behind('10.0.0.1', 'for=1.1.1.1', 'forwarded'),
      '10.0.0.1',
    ],
    [
      'an open quote in Forwarded swallows no entry of a proxy',
      { trustProxy: 1, header: 'forwarded' },
      behind('10.0.0.1', 'for="6.6.6.6, for=1.1.1.1', 'forwarded'),
      '1.1.1.1',
    ],
    ['no peer', undefined, { 'x-forwarded-for': '1.1.1.1' }, 'none'],
    ['no peer, but a hop: a unix socket', { trustProxy: 1 }, { 'x-forwarded-for': '1.1.1.1' }, '1.1.1.1'],
    ['no peer is told to no function', { trustProxy: () => true }, { 'x-forwarded-for': '1.1.1.1' }, 'none'],
    ['no peer is in no range', { trustProxy: ['0.0.0.0/0'] }, { 'x-forwarded-for': '1.1.1.1' }, 'none'],
  ])('%s', async (_, options, headers, expected) => {
    expect(await ask(options, headers)).toBe(expected)
  })

  test('whatever a client writes on the left changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'0123456789.,:" =;for[]'), maxLength: 30 }),
        async (forged) => {
          expect(await ask({ trustProxy: 2 }, behind('10.0.0.1', `${forged}, 1.1.1.1, 10.0.0.2`))).toBe('1.1.1.1')
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a header of 60 kB is walked in linear time', () =>
    expectLinear(
      60_000,
      (size) => `${'1.1.1.1,'.repeat(size / 8)}2.2.2.2`,
      async (list) => expect(await ask({ trustProxy: () => true }, behind('10.0.0.1', list))).toBe('1.1.1.1'),
    ))
})

test.each([
  [
    { trustProxy: true },
    'clientAddress: trustProxy: expected a number of hops, a list of addresses and ranges, or a function, got true',
  ],
  [
    { trustProxy: -1 },
    'clientAddress: trustProxy: expected a number of hops, a list of addresses and ranges, or a function, got -1',
  ],
  [
    { trustProxy: 1.5 },
    'clientAddress: trustProxy: expected a number of hops, a list of addresses and ranges, or a function, got 1.5',
  ],
  [
    { trustProxy: 'loopback' },
    'clientAddress: trustProxy: expected a number of hops, a list of addresses and ranges, or a function, got "loopback"',
  ],
  [
    { trustProxy: ['10.0.0.0/33'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "10.0.0.0/33"',
  ],
  [
    { trustProxy: ['10.0.0.0/'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "10.0.0.0/"',
  ],
  [
    { trustProxy: ['10.0.0.0/x'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "10.0.0.0/x"',
  ],
  [
    { trustProxy: ['10.0.0.0/-1'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "10.0.0.0/-1"',
  ],
  [
    { trustProxy: ['::/129'] },
    'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "::/129"',
  ],
  [{ trustProxy: ['x'] }, 'clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "x"'],
  [{ header: 'a b' }, 'clientAddress: header: expected a field name, got "a b"'],
  [{ ipv6Prefix: 0 }, 'clientKey: ipv6Prefix: expected a number of bits from 1 to 128, got 0'],
  [{ ipv6Prefix: 129 }, 'clientKey: ipv6Prefix: expected a number of bits from 1 to 128, got 129'],
])('the options %j are refused', (options, message) => {
  const make = () => clientKey(options as never)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test.each(['10.0.0.0/8/16', '10.0.0.0/0x8', '10.0.0.0/ 8', '10.0.0.0/1e1'])('the range %s is refused', (range) =>
  expect(() => clientKey({ trustProxy: [range] })).toThrow(
    `clientAddress: trustProxy: expected an address or a range such as 10.0.0.0/8, got "${range}"`,
  ),
)

test.each([
  [{}, '2001:db8:1:12ff::1', '2001:db8:1:1200:0:0:0:0/56'],
  [{ ipv6Prefix: 64 }, '2001:db8:1:12ff::1', '2001:db8:1:12ff:0:0:0:0/64'],
  [{}, '192.0.2.1', '192.0.2.1'],
  [{}, '', undefined],
])('ML6: clientKey(%j) of %s is %s', (options, peer, expected) => {
  const request = new Request('http://localhost/', { headers: peer ? { 'test-peer': peer } : {} })
  const ctx = { request, env: {}, execution: undefined, header: (name: string) => request.headers.get(name) }
  expect(clientKey(options)(ctx)).toBe(expected)
  expect(addressReader()(ctx)).toBe(peer || undefined)
})

/** `proxy-addr` is what Express stands on. It takes entries as they are; here one that is no address ends the walk. */
test('the address is the same as that of proxy-addr, for every trust setting and header', () => {
  const addresses = ['10.0.0.1', '10.9.9.9', '192.0.2.7', '198.51.100.3', '2001:db8::1', '2001:db8:ffff::2', 'fd00::7']
  const ranges = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/48', 'fd00::/8', '::1', '127.0.0.0/8']
  fc.assert(
    fc.property(
      fc.constantFrom(...addresses),
      fc.array(fc.constantFrom(...addresses), { maxLength: 6 }),
      fc.oneof(fc.subarray(ranges), fc.integer({ min: 0, max: 5 })),
      (peer, hops, trustProxy) => {
        const written = hops.join(', ')
        const trust = typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy
        const incoming = { headers: { 'x-forwarded-for': written || undefined }, socket: { remoteAddress: peer } }
        const request = new Request('http://localhost/', { headers: { 'test-peer': peer } })
        const source = { request, env: {}, execution: undefined, header: () => written || null }
        expect(clientAddress(source as never, { trustProxy })).toBe(proxyAddr(incoming, trust))
      },
    ),
    { numRuns: runs(20_000) },
  )
})
