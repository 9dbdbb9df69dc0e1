import { describe, expect, test, vi } from 'vitest'
import { csrf } from '../../src/middleware/csrf.ts'
import { session } from '../../src/middleware/session.ts'
import { type TrustedProxyOptions, trustedProxy } from '../../src/middleware/trusted-proxy.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

/** No socket here, so the test says who the peer is. */
vi.mock('#runtime/core', async (original) => ({
  ...(await original<object>()),
  peerOf: (request: Request) => request.headers.get('test-peer') ?? undefined,
}))

const URL_SENT = 'http://inner:8080/path?q=1'
const from = (peer: string, fields: Record<string, string>) => ({ 'test-peer': peer, ...fields })
const proto = (value: string, more: Record<string, string> = {}) =>
  from('10.0.0.1', { 'x-forwarded-proto': value, ...more })

describe.each(doors)('P17: trustedProxy through %s', (_, door) => {
  const ask = async (options: TrustedProxyOptions, headers: Record<string, string>): Promise<string> => {
    const fetch = door({
      use: [trustedProxy(options)],
      routes: [['GET', '/path', (ctx) => text(`${ctx.url.href} ${ctx.request.url} ${ctx.query.get('q')}`)]],
    })
    const answer = await (await fetch(new Request(URL_SENT, { headers }))).text()
    expect(answer).toMatch(/ http:\/\/inner:8080\/path\?q=1 1$/)
    return answer.split(' ')[0]!
  }

  test.each<[string, TrustedProxyOptions, Record<string, string>, string]>([
    ['the scheme', { trustProxy: 1 }, proto('https'), 'https://inner:8080/path?q=1'],
    ['a scheme in capitals', { trustProxy: 1 }, proto('HTTPS'), 'https://inner:8080/path?q=1'],
    [
      'scheme and host',
      { trustProxy: 1 },
      proto('https', { 'x-forwarded-host': 'a.example' }),
      'https://a.example/path?q=1',
    ],
    [
      'a host with a port',
      { trustProxy: 1 },
      proto('https', { 'x-forwarded-host': 'a.example:8443' }),
      'https://a.example:8443/path?q=1',
    ],
    [
      'the port of the scheme is dropped',
      { trustProxy: 1 },
      proto('https', { 'x-forwarded-host': 'a.example:443' }),
      'https://a.example/path?q=1',
    ],
    [
      'the host alone',
      { trustProxy: 1 },
      from('10.0.0.1', { 'x-forwarded-host': '[2001:db8::1]:81' }),
      'http://[2001:db8::1]:81/path?q=1',
    ],
    ['no field: as it came', { trustProxy: 1 }, from('10.0.0.1', {}), URL_SENT],
    ['no hop is trusted', { trustProxy: 0 }, proto('https', { 'x-forwarded-host': 'evil' }), URL_SENT],
    ['false', { trustProxy: false }, proto('https'), URL_SENT],
    [
      'a peer outside of the ranges',
      { trustProxy: ['10.0.0.0/8'] },
      from('11.0.0.1', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' }),
      URL_SENT,
    ],
    ['an unknown peer is in no range', { trustProxy: ['0.0.0.0/0'] }, { 'x-forwarded-proto': 'https' }, URL_SENT],
    [
      'one hop: the last element, not what the client sent',
      { trustProxy: ['10.0.0.0/8'] },
      proto('https, http', { 'x-forwarded-host': 'evil, a.example', 'x-forwarded-for': '10.0.0.9, 6.6.6.6' }),
      'http://a.example/path?q=1',
    ],
    [
      'two hops: the element before it',
      { trustProxy: ['10.0.0.0/8'] },
      proto('http, https, http', { 'x-forwarded-for': '10.0.0.9, 6.6.6.6, 10.0.0.2' }),
      'https://inner:8080/path?q=1',
    ],
    ['more hops than elements: the first', { trustProxy: 2 }, proto('https'), 'https://inner:8080/path?q=1'],
    ['another scheme', { trustProxy: 1 }, proto('javascript'), URL_SENT],
    ['a scheme with more', { trustProxy: 1 }, proto('https://evil'), URL_SENT],
    ...['a.example/x', 'u@a.example', 'a b', 'a.example:99999', '', 'a\u00e9', 'a?b', '[::1', 'a.example,'].map(
      (host): [string, TrustedProxyOptions, Record<string, string>, string] => [
        `the host ${JSON.stringify(host)}`,
        { trustProxy: 1 },
        from('10.0.0.1', { 'x-forwarded-host': host }),
        URL_SENT,
      ],
    ),
    [
      'Forwarded',
      { trustProxy: 1, header: 'forwarded' },
      from('10.0.0.1', { forwarded: 'for=6.6.6.6;proto=http;host=evil, for=1.1.1.1;Proto=https;host="a.example:81"' }),
      'https://a.example:81/path?q=1',
    ],
    [
      'Forwarded is not read when it is not asked for',
      { trustProxy: 1 },
      from('10.0.0.1', { forwarded: 'proto=https;host=evil' }),
      URL_SENT,
    ],
    [
      'X-Forwarded-Proto is not read beside Forwarded',
      { trustProxy: 1, header: 'forwarded' },
      proto('https', { 'x-forwarded-host': 'evil' }),
      URL_SENT,
    ],
    [
      'an open quote swallows nothing',
      { trustProxy: 1, header: 'forwarded' },
      from('10.0.0.1', { forwarded: 'for="1;host="a.example;proto=https' }),
      'https://inner:8080/path?q=1',
    ],
  ])('%s', async (_, options, headers, expected) => {
    expect(await ask(options, headers)).toBe(expected)
  })

  test("session({ secure: 'auto' }) and csrf() send Secure behind a proxy that speaks TLS, and not otherwise", async () => {
    const fetch = door({
      use: [
        trustedProxy({ trustProxy: ['10.0.0.0/8'] }),
        session({ secret: 'x'.repeat(32), cookie: { secure: 'auto' } }),
        csrf({ secret: 'y'.repeat(32) } as never),
      ],
      routes: [
        [
          'GET',
          '/path',
          (ctx) => {
            ;(ctx.state as any).session.user = 1
            void (ctx.state as any).csrfToken
            return text('ok')
          },
        ],
      ],
    })
    const cookies = async (peer: string) =>
      (
        await fetch(new Request(URL_SENT, { headers: from(peer, { 'x-forwarded-proto': 'https' }) }))
      ).headers.getSetCookie()
    const behind = await cookies('10.0.0.1')
    expect(behind.length).toBeGreaterThan(0)
    expect(behind.filter((cookie) => !/; Secure/i.test(cookie))).toEqual([])
    expect((await cookies('11.0.0.1')).filter((cookie) => /; Secure/i.test(cookie))).toEqual([])
  })
})

test.each([
  [{}, 'trustedProxy: trustProxy: expected a number of hops'],
  [{ trustProxy: true }, 'trustProxy'],
  [{ trustProxy: 'loopback' }, 'trustProxy'],
  [
    { trustProxy: 1, header: 'x-real-ip' },
    'trustedProxy: header: expected "x-forwarded" or "forwarded", got "x-real-ip"',
  ],
  [{ trustProxy: 1, header: 'constructor' }, 'trustedProxy: header'],
  [{ trustproxy: 1 }, 'trustedProxy: trustproxy: unknown option, did you mean "trustProxy"?'],
])('the options %j are refused', (options, message) => {
  expect(() => trustedProxy(options as never)).toThrow(TypeError)
  expect(() => trustedProxy(options as never)).toThrow(message)
})
