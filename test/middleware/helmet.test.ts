import { createServer } from 'node:http'
import npmHelmet from 'helmet'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type HelmetOptions, helmet } from '../../src/middleware/helmet.ts'
import { text } from '../../src/respond/text.ts'
import { doors } from '../harness.ts'

const POLICY =
  "default-src 'self'; base-uri 'self'; font-src 'self' https: data:; form-action 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; script-src 'self'; script-src-attr 'none'; style-src 'self' https: 'unsafe-inline'; upgrade-insecure-requests"
const DEFAULTS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-xss-protection': '1; mode=block',
}
const CSP = 'content-security-policy'
const HSTS = 'strict-transport-security'

describe.each(doors)('helmet through %s', (_, door) => {
  const ask = async (
    options?: HelmetOptions,
    make: (ctx: any) => Response = () => text('x'),
  ): Promise<Record<string, string>> => {
    const response = await door({ use: [helmet(options)], routes: [['GET', '/', make]] })('/')
    const { 'content-type': _type, ...fields } = Object.fromEntries(response.headers)
    return fields
  }

  test('MH1: all six without options', async () => {
    expect(await ask()).toEqual(DEFAULTS)
    expect(await ask({ contentSecurityPolicy: true, hsts: true, frameguard: true })).toEqual(DEFAULTS)
  })

  test('MH1: each can be left out, and all', async () => {
    const off = {
      contentSecurityPolicy: false,
      hsts: false,
      frameguard: false,
      noSniff: false,
      xssFilter: false,
      referrerPolicy: false,
    } as const
    expect(await ask(off)).toEqual({})
    for (const [option, field] of [
      ['contentSecurityPolicy', CSP],
      ['hsts', HSTS],
      ['frameguard', 'x-frame-options'],
      ['noSniff', 'x-content-type-options'],
      ['xssFilter', 'x-xss-protection'],
      ['referrerPolicy', 'referrer-policy'],
    ] as const) {
      const { [field]: _gone, ...rest } = DEFAULTS
      expect(await ask({ [option]: false })).toEqual(rest)
    }
  })

  test('MH1: what the handler has set stays', async () => {
    const own = {
      'content-security-policy': "default-src 'none'",
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'origin',
    }
    expect(await ask({}, () => text('x', 200, own))).toEqual({
      ...DEFAULTS,
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'origin',
      'x-frame-options': 'DENY',
    })
  })

  test.each<[string, HelmetOptions, string, string | undefined]>([
    ['MH2: camelCase and a list', csp({ defaultSrc: ["'self'"] }, false), CSP, "default-src 'self'"],
    ['MH2: kebab-case and a text', csp({ 'img-src': '* data:' }, false), CSP, 'img-src * data:'],
    [
      'MH2: several directives',
      csp({ scriptSrc: ["'self'", 'https://x.example'], imgSrc: ['*'] }, false),
      CSP,
      "script-src 'self' https://x.example; img-src *",
    ],
    ['MH2: an empty list is the bare name', csp({ sandbox: [] }, false), CSP, 'sandbox'],
    ['MH2: false takes a directive out', csp({ imgSrc: false, scriptSrc: ['*'] }, false), CSP, 'script-src *'],
    [
      'MH2: a host that begins like a keyword',
      csp({ imgSrc: ['self.example', 'none.example'] }, false),
      CSP,
      'img-src self.example none.example',
    ],
    [
      'MH2: hashes and keywords in their quotes',
      csp({ scriptSrc: ["'sha256-AbC='", "'strict-dynamic'"] }, false),
      CSP,
      "script-src 'sha256-AbC=' 'strict-dynamic'",
    ],
    ['MH2: nothing at all is no header', csp({}, false), CSP, undefined],
    [
      'MH2: a given directive replaces a default one',
      csp({ objectSrc: ["'self'"] }),
      CSP,
      POLICY.replace("object-src 'none'", "object-src 'self'"),
    ],
    [
      'MH2: null takes a default away',
      csp({ upgradeInsecureRequests: null }),
      CSP,
      POLICY.replace('; upgrade-insecure-requests', ''),
    ],
    [
      'MH8: report only',
      { contentSecurityPolicy: { reportOnly: true } },
      'content-security-policy-report-only',
      POLICY,
    ],
    ['MH8: report only blocks nothing', { contentSecurityPolicy: { reportOnly: true } }, CSP, undefined],
    ['MH3, L7: another age in seconds', { hsts: { maxAge: 60 } }, HSTS, 'max-age=60; includeSubDomains'],
    ['MH3: rounded down', { hsts: { maxAge: 60.9 } }, HSTS, 'max-age=60; includeSubDomains'],
    ['MH3: nought', { hsts: { maxAge: 0, includeSubDomains: false } }, HSTS, 'max-age=0'],
    ['MH3: preload', { hsts: { preload: true } }, HSTS, 'max-age=31536000; includeSubDomains; preload'],
    ['MH4: deny', { frameguard: { action: 'deny' } }, 'x-frame-options', 'DENY'],
    ['MH4: sameorigin', { frameguard: { action: 'sameorigin' } }, 'x-frame-options', 'SAMEORIGIN'],
    ['MH4: upper case', { frameguard: { action: 'DENY' as never } }, 'x-frame-options', 'DENY'],
    ['MH5: on', { noSniff: true }, 'x-content-type-options', 'nosniff'],
    ['MH6: on', { xssFilter: true }, 'x-xss-protection', '1; mode=block'],
    ['MH6: as advised today', { xssFilter: '0' }, 'x-xss-protection', '0'],
    ['MH7: a text', { referrerPolicy: 'same-origin' }, 'referrer-policy', 'same-origin'],
    [
      'MH7: a list',
      { referrerPolicy: ['no-referrer', 'strict-origin-when-cross-origin'] },
      'referrer-policy',
      'no-referrer,strict-origin-when-cross-origin',
    ],
  ])('%s', async (_, options, field, expected) => {
    expect((await ask(options))[field]).toBe(expected)
  })

  test.each([
    'no-referrer',
    'no-referrer-when-downgrade',
    'same-origin',
    'origin',
    'strict-origin',
    'origin-when-cross-origin',
    'strict-origin-when-cross-origin',
    'unsafe-url',
  ] as const)('MH7: %s is known', async (referrerPolicy) => {
    expect((await ask({ referrerPolicy }))['referrer-policy']).toBe(referrerPolicy)
  })

  test('MH8: a nonce for each request, in the state and in the policy', async () => {
    const nonces = new Set<string>()
    for (let turn = 0; turn < 50; turn++) {
      let seen = ''
      const fields = await ask(
        { contentSecurityPolicy: { nonce: true, directives: { styleSrc: ["'self'", "'nonce'"] } } },
        (ctx) => {
          seen = ctx.state.cspNonce
          return text('x')
        },
      )
      // The grammar of nonce-source (CSP Level 3 §2.3.1), and at least 128 bits in it
      expect(seen).toMatch(/^[\w+/-]+={0,2}$/)
      expect(fields[CSP]).toContain(`; script-src 'nonce-${seen}' 'self';`)
      expect(fields[CSP]).toContain(`style-src 'self' 'nonce-${seen}'`)
      expect(fields[CSP]).not.toContain("'nonce'")
      expect(fields['x-frame-options']).toBe('SAMEORIGIN')
      nonces.add(seen)
    }
    expect(nonces.size).toBe(50)
  })

  test('MH8: no nonce unless requested, and none without a policy', async () => {
    const make = (ctx: any): Response => text(String(ctx.state.cspNonce))
    for (const options of [{}, { contentSecurityPolicy: false }] as const)
      expect(await (await door({ use: [helmet(options)], routes: [['GET', '/', make]] })('/')).text()).toBe('undefined')
  })

  test('MH8: registered twice, the nonce is that of the inner one, and a member of the state like others', async () => {
    const nonce = () => helmet({ contentSecurityPolicy: { nonce: true } })
    const show = (ctx: any): Response => text(JSON.stringify([Object.keys(ctx.state), { ...ctx.state }.cspNonce]))
    const response = await door({ use: [nonce(), nonce()], routes: [['GET', '/', show]] })('/')
    const [keys, seen] = JSON.parse(await response.text())
    expect({ status: response.status, keys, policy: response.headers.get(CSP)?.includes(`'nonce-${seen}'`) }).toEqual({
      status: 200,
      keys: ['cspNonce'],
      policy: true,
    })
  })

  test('MH9, MW5: errors, unmatched paths, short-circuits and frozen responses have the headers', async () => {
    const fetch = door({
      use: [helmet(), (ctx, next) => (ctx.path === '/stop' ? text('no', 413) : next())],
      routes: [
        ['GET', '/error', () => Promise.reject(new Error('secret'))],
        ['GET', '/redirect', () => Response.redirect('http://localhost/', 302)],
        ['GET', '/failed', () => Response.error()],
      ],
      onError: () => text('sorry', 500),
    })
    for (const [path, status] of [
      ['/error', 500],
      ['/none', 404],
      ['/stop', 413],
      ['/redirect', 302],
    ] as const) {
      const response = await fetch(path)
      expect({ path, status: response.status }).toEqual({ path, status })
      expect(Object.fromEntries(response.headers)).toMatchObject(DEFAULTS)
    }
  })
})

test.each<[string, HelmetOptions, string]>([
  ['MH2: a semicolon', csp({ scriptSrc: ["'self'; script-src *"] }), 'contentSecurityPolicy'],
  ['MH2: a comma', csp({ scriptSrc: ["'self', *"] }), 'contentSecurityPolicy'],
  ['MH2: a line end', csp({ scriptSrc: ["'self'\r\nx: y"] }), 'contentSecurityPolicy'],
  ['MH2: a letter past ASCII', csp({ imgSrc: ['https://é.example'] }), 'contentSecurityPolicy'],
  ['MH2: self without quotes', csp({ scriptSrc: ['self'] }), 'scriptSrc: expected'],
  ['MH2: none without quotes', csp({ objectSrc: ['none'] }), 'objectSrc: expected'],
  ['MH2: unsafe-inline without quotes', csp({ styleSrc: ["'self'", 'unsafe-inline'] }), 'unsafe-inline'],
  ['MH2: a nonce without quotes', csp({ scriptSrc: ['nonce-abc'] }), 'nonce-abc'],
  ['MH2: a hash without quotes', csp({ scriptSrc: ['sha256-abc='] }), 'sha256-abc='],
  ['MH2: a name with a semicolon', csp({ 'img-src *; script-src': ['*'] }), 'contentSecurityPolicy'],
  ['MH2: a name with an underscore', csp({ img_src: ['*'] }), 'img_src'],
  ['MH2: a key of every object', csp(JSON.parse('{"__proto__":["*"]}')), '__proto__'],
  ['MH3: an age below nought', { hsts: { maxAge: -1 } }, 'hsts: maxAge: expected a number of seconds, got -1'],
  [
    'MH3: an age that is no number',
    { hsts: { maxAge: Number.NaN } },
    'hsts: maxAge: expected a number of seconds, got NaN',
  ],
  [
    'MH3: an endless age',
    { hsts: { maxAge: Number.POSITIVE_INFINITY } },
    'hsts: maxAge: expected a number of seconds, got Infinity',
  ],
  [
    'MH4: an unknown action',
    { frameguard: { action: 'allow-from' as never } },
    'frameguard: action: expected "deny" or "sameorigin", got "allow-from"',
  ],
  ['MH7: an unknown policy', { referrerPolicy: 'never' as never }, 'got "never"'],
  ['MH7: an unknown policy in a list', { referrerPolicy: ['origin', 'unsafe'] as never }, 'got "unsafe"'],
])('%s is refused when made', (_, options, message) => {
  expect(() => helmet(options)).toThrow(TypeError)
  expect(() => helmet(options)).toThrow(message)
})

describe('sends what helmet 8 sends for the same options, over real sockets', () => {
  const cases: [string, HelmetOptions & object][] = [
    ['defaults', {}],
    ['directives merged over the defaults', csp({ scriptSrc: ["'self'", 'https://x.example'], imgSrc: ['*'] })],
    ['directives alone', csp({ defaultSrc: ["'none'"], sandbox: ['allow-scripts'] }, false)],
    ['a default taken away', csp({ upgradeInsecureRequests: null })],
    ['report only', { contentSecurityPolicy: { reportOnly: true } }],
    ['hsts', { hsts: { maxAge: 123.9, includeSubDomains: false, preload: true } }],
    ['frameguard', { frameguard: { action: 'deny' } }],
    ['switched off', { hsts: false, noSniff: false, frameguard: false }],
  ]
  test.each(cases)('%s', async (_, options) => {
    const handle = await createApp()
      .use(helmet(options))
      .get('/', () => text('x'))
      .listen(0)
    const decorate = npmHelmet(options as never)
    const peer = createServer((incoming, outgoing) => decorate(incoming, outgoing, () => outgoing.end('x')))
    await new Promise<void>((resolve) => peer.listen(0, resolve))
    try {
      const ports = [handle.port, (peer.address() as { port: number }).port]
      const [own, theirs] = await Promise.all(ports.map((port) => fetch(`http://localhost:${port}/`)))
      for (const field of [...Object.keys(DEFAULTS), 'content-security-policy-report-only']) {
        // Decided (SPEC 2.5, MH6): the filter of old browsers is on; and a space follows each semicolon
        if (field === 'x-xss-protection') continue
        expect({ field, value: own!.headers.get(field)?.replaceAll('; ', ';') }).toEqual({
          field,
          value: theirs!.headers.get(field)?.replaceAll('; ', ';'),
        })
      }
    } finally {
      await handle.close()
      peer.closeAllConnections()
      await new Promise((resolve) => peer.close(resolve))
    }
  })
})

function csp(directives: Record<string, string | string[] | false | null>, useDefaults = true): HelmetOptions {
  return { contentSecurityPolicy: { directives, useDefaults } }
}
