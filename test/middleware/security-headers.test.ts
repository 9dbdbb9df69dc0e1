import { createServer } from 'node:http'
import npmHelmet from 'helmet'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { type SecurityHeadersOptions, securityHeaders } from '../../src/middleware/security-headers.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const DEFAULTS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const COOP = 'cross-origin-opener-policy'
const COEP = 'cross-origin-embedder-policy'
const PERMISSIONS = 'permissions-policy'
const ENDPOINTS = 'reporting-endpoints'

describe.each(doors)('securityHeaders through %s', (_, door) => {
  const ask = async (
    options?: SecurityHeadersOptions,
    make: () => Response = () => text('x'),
  ): Promise<Record<string, string>> => {
    const response = await door({ use: [securityHeaders(options)], routes: [['GET', '/', make]] })('/')
    const { 'content-type': _type, ...fields } = Object.fromEntries(response.headers)
    return fields
  }

  test('MH8: what helmet 8 sends beside the headers of helmet', async () => {
    expect(await ask()).toEqual(DEFAULTS)
  })

  test('MH8: each can be left out', async () => {
    for (const [option, field] of [
      ['crossOriginOpenerPolicy', 'cross-origin-opener-policy'],
      ['crossOriginResourcePolicy', 'cross-origin-resource-policy'],
      ['originAgentCluster', 'origin-agent-cluster'],
      ['dnsPrefetchControl', 'x-dns-prefetch-control'],
      ['xssProtection', 'x-xss-protection'],
      ['permittedCrossDomainPolicies', 'x-permitted-cross-domain-policies'],
    ] as const) {
      const { [field]: _gone, ...rest } = DEFAULTS
      expect(await ask({ [option]: false })).toEqual(rest)
    }
  })

  test('P26: after helmet, X-XSS-Protection is 0', async () => {
    const fetch = door({ use: [helmet(), securityHeaders()], routes: [['GET', '/', () => text('x')]] })
    expect((await fetch('/')).headers.get('x-xss-protection')).toBe('0')
  })

  test('MH8: what the handler has set stays', async () => {
    expect(await ask({}, () => text('x', 200, { 'Cross-Origin-Resource-Policy': 'cross-origin' }))).toEqual({
      ...DEFAULTS,
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  test.each<[string, SecurityHeadersOptions, string, string | undefined]>([
    ['popups', { crossOriginOpenerPolicy: 'same-origin-allow-popups' }, COOP, 'same-origin-allow-popups'],
    [
      'an endpoint',
      { crossOriginOpenerPolicy: 'same-origin; report-to="main"' },
      COOP,
      'same-origin; report-to="main"',
    ],
    ['embedding', { crossOriginEmbedderPolicy: 'require-corp' }, COEP, 'require-corp'],
    ['no permissions', { permissionsPolicy: {} }, PERMISSIONS, undefined],
    ['nobody', { permissionsPolicy: { camera: [] } }, PERMISSIONS, 'camera=()'],
    ['everybody', { permissionsPolicy: { fullscreen: ['*'] } }, PERMISSIONS, 'fullscreen=*'],
    [
      'itself and an origin, camelCase and kebab-case',
      { permissionsPolicy: { displayCapture: ['self', 'https://a.example'], 'xr-spatial-tracking': ['self'] } },
      PERMISSIONS,
      'display-capture=(self "https://a.example"), xr-spatial-tracking=(self)',
    ],
    [
      'a wildcard host',
      { permissionsPolicy: { usb: ['https://*.a.example'] } },
      PERMISSIONS,
      'usb=("https://*.a.example")',
    ],
    [
      'a path and a URL',
      { reportingEndpoints: { default: '/reports', csp: new URL('https://r.example/csp?a=1') } },
      ENDPOINTS,
      'default="/reports", csp="https://r.example/csp?a=1"',
    ],
  ])('MH8: %s', async (_, options, field, expected) => {
    expect((await ask(options))[field]).toBe(expected)
  })

  test.each([
    [undefined, null],
    [false, 'PHP'],
  ] as const)('MH8: X-Powered-By with hidePoweredBy %s is %s', async (hidePoweredBy, expected) => {
    const make = (): Response => text('x', 200, { 'X-Powered-By': 'PHP' })
    const options = hidePoweredBy === undefined ? {} : { hidePoweredBy }
    const fetch = door({ use: [helmet(), securityHeaders(options)], routes: [['GET', '/', make]] })
    const { headers } = await fetch('/')
    expect(headers.get('x-powered-by')).toBe(expected)
    expect(headers.get('origin-agent-cluster')).toBe('?1')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })

  test('MH9, MW5: errors, unmatched paths and frozen responses have the headers', async () => {
    const fetch = door({
      use: [securityHeaders()],
      routes: [
        ['GET', '/error', () => Promise.reject(new Error('secret'))],
        ['GET', '/redirect', () => Response.redirect('http://localhost/', 302)],
      ],
      onError: () => text('sorry', 500),
    })
    for (const [path, status] of [
      ['/error', 500],
      ['/none', 404],
      ['/redirect', 302],
    ] as const) {
      const response = await fetch(path)
      expect(response.status).toBe(status)
      expect(Object.fromEntries(response.headers)).toMatchObject(DEFAULTS)
    }
  })
})

test.each<[string, object, string]>([
  ['an unknown word', { crossOriginOpenerPolicy: 'same-site' }, 'crossOriginOpenerPolicy: expected false or a string'],
  ['true, which says nothing', { crossOriginResourcePolicy: true }, ', got true'],
  ['a word in place of a switch', { originAgentCluster: '?1' }, ', got "?1"'],
  ['a line end', { dnsPrefetchControl: 'on\r\nx: y' }, 'dnsPrefetchControl'],
  ['an endpoint that is no name', { crossOriginEmbedderPolicy: 'require-corp; report-to="a b"' }, 'EmbedderPolicy'],
  [
    'a keyword in quotes',
    { permissionsPolicy: { camera: ["'self'"] } },
    `permissionsPolicy: expected a URL, got "'self'"`,
  ],
  [
    'a word that is no origin',
    { permissionsPolicy: { camera: ['none'] } },
    'permissionsPolicy: expected a URL, got "none"',
  ],
  ...['myself', 'selfish', '**', '*.a.example'].map((member): [string, object, string] => [
    `a member ${member} that holds a keyword`,
    { permissionsPolicy: { camera: [member] } },
    `permissionsPolicy: expected a URL, got "${member}"`,
  ]),
  ['a quote in an origin', { permissionsPolicy: { camera: ['https://a"b'] } }, 'permissionsPolicy'],
  ['a feature that ends another', { permissionsPolicy: { 'camera=*, usb': [] } }, 'permissionsPolicy'],
  [
    'a key of every object',
    { permissionsPolicy: JSON.parse('{"__proto__":[]}') },
    'permissionsPolicy: expected a name in lower case, got "__proto__"',
  ],
  [
    'a name in upper case',
    { reportingEndpoints: { Main: '/r' } },
    'reportingEndpoints: expected a name in lower case, got "Main"',
  ],
  ['a URL with a space', { reportingEndpoints: { main: 'https://r.example/ x' } }, 'reportingEndpoints'],
  ['a URL with a line end', { reportingEndpoints: { main: '/r\r\nx: y' } }, 'reportingEndpoints'],
])('MH8: %s is refused when made', (_, options, message) => {
  expect(() => securityHeaders(options as SecurityHeadersOptions)).toThrow(TypeError)
  expect(() => securityHeaders(options as SecurityHeadersOptions)).toThrow(message)
})

describe('MH8: sends what helmet 8 sends for the same policies, over real sockets', () => {
  test.each<[string, SecurityHeadersOptions, object]>([
    ['defaults', {}, {}],
    [
      'other words',
      {
        crossOriginOpenerPolicy: 'same-origin-allow-popups',
        crossOriginEmbedderPolicy: 'credentialless',
        crossOriginResourcePolicy: 'same-site',
        dnsPrefetchControl: 'on',
        permittedCrossDomainPolicies: 'by-content-type',
      },
      {
        crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
        crossOriginEmbedderPolicy: { policy: 'credentialless' },
        crossOriginResourcePolicy: { policy: 'same-site' },
        dnsPrefetchControl: { allow: true },
        permittedCrossDomainPolicies: { permittedPolicies: 'by-content-type' },
      },
    ],
    [
      'switched off',
      { crossOriginOpenerPolicy: false, crossOriginResourcePolicy: false, originAgentCluster: false },
      { crossOriginOpenerPolicy: false, crossOriginResourcePolicy: false, originAgentCluster: false },
    ],
  ])('%s', async (_, options, theirOptions) => {
    const handle = await createApp()
      .use(securityHeaders(options))
      .get('/', () => text('x', 200, { 'x-powered-by': 'x' }))
      .listen(0)
    const decorate = npmHelmet(theirOptions)
    const peer = createServer((incoming, outgoing) => {
      outgoing.setHeader('x-powered-by', 'x')
      decorate(incoming, outgoing, () => outgoing.end('x'))
    })
    await new Promise<void>((resolve) => peer.listen(0, resolve))
    try {
      const ports = [handle.port, (peer.address() as { port: number }).port]
      const [own, theirs] = await Promise.all(ports.map((port) => fetch(`http://localhost:${port}/`)))
      for (const field of [...Object.keys(DEFAULTS), COEP, 'x-powered-by']) {
        expect({ field, value: own!.headers.get(field) }).toEqual({ field, value: theirs!.headers.get(field) })
      }
    } finally {
      await handle.close()
      peer.closeAllConnections()
      await new Promise((resolve) => peer.close(resolve))
    }
  })
})
