import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HttpError } from '../../src/errors.ts'
import { apiKey } from '../../src/middleware/api-key.ts'
import { basicAuth } from '../../src/middleware/basic-auth.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe.each(doors)('%s', (_, door) => {
  const ask = async (step: any, headers: Record<string, string> = {}) => {
    const fetch = door({ use: [step], routes: [['GET', '/', (ctx) => json(ctx.state.user)]] })
    const response = await fetch(new Request('http://localhost/', { headers }))
    return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
  }

  describe('bearerAuth', () => {
    const verify = (token: string) => {
      if (token === 'throws') throw new Error('jwt expired')
      if (token === 'rejects') return Promise.reject(new Error('jwt expired'))
      if (token === 'forbidden') throw new HttpError(403, 'Not you')
      return token === 'good' ? { id: 7 } : null
    }
    const step = bearerAuth({ verify })
    const none = { status: 401, body: { error: 'Unauthorized' }, challenge: 'Bearer realm="api"' }
    const bad = {
      status: 401,
      body: { error: 'Invalid token' },
      challenge: 'Bearer realm="api", error="invalid_token"',
    }

    test.each<[string, string | undefined, unknown]>([
      ['a good token', 'Bearer good', { status: 200, body: { id: 7 }, challenge: null }],
      ['the scheme in any case', 'bearer  good ', { status: 200, body: { id: 7 }, challenge: null }],
      ['no header', undefined, none],
      ['another scheme', basic('a:b'), none],
      ['no token', 'Bearer ', none],
      ['two tokens', 'Bearer good, Bearer good', none],
      ['a token with a space', 'Bearer go od', none],
      ['a token of other characters', 'Bearer g"ood', none],
      ['a bad token', 'Bearer bad', bad],
      ['a token at which verify throws', 'Bearer throws', bad],
      ['a token at which verify rejects', 'Bearer rejects', bad],
      [
        'a token that may not do this',
        'Bearer forbidden',
        { status: 403, body: { error: 'Not you' }, challenge: null },
      ],
    ])('A1, E4: %s', async (_, authorization, expected) => {
      expect(await ask(step, authorization === undefined ? {} : { authorization })).toEqual(expected)
    })

    test.each<[string, string | undefined, unknown]>([
      ['its scheme', 'Token good', { status: 200, body: { id: 7 }, challenge: null }],
      ['its scheme in any case', 'tOKEN good', { status: 200, body: { id: 7 }, challenge: null }],
      ['Bearer', 'Bearer good', { status: 401, body: { error: 'Unauthorized' }, challenge: 'Token realm="api"' }],
      [
        'a bad token',
        'Token bad',
        { status: 401, body: { error: 'Invalid token' }, challenge: 'Token realm="api", error="invalid_token"' },
      ],
    ])('NA20: a guard with another scheme and %s', async (_, authorization, expected) => {
      const guard = bearerAuth({ verify, scheme: 'Token' })
      expect(await ask(guard, authorization === undefined ? {} : { authorization })).toEqual(expected)
    })

    test.each<[string, string | undefined, unknown]>([
      ['no header passes without a user', undefined, { status: 200, body: 'nobody', challenge: null }],
      ['a good token', 'Bearer good', { status: 200, body: { id: 7 }, challenge: null }],
      ['a bad token is refused', 'Bearer bad', bad],
      ['another scheme is refused', basic('a:b'), none],
    ])('NA20: an optional guard: %s', async (_, authorization, expected) => {
      const guard = bearerAuth({ verify, optional: true })
      const fetch = door({ use: [guard], routes: [['GET', '/', (ctx) => json(ctx.state.user ?? 'nobody')]] })
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const response = await fetch(new Request('http://localhost/', { headers }))
      expect({
        status: response.status,
        body: await response.json(),
        challenge: response.headers.get('www-authenticate'),
      }).toEqual(expected)
    })

    test('NA20: a scheme that would break the header is refused', () => {
      expect(() => bearerAuth({ verify, scheme: 'To ken' })).toThrow(
        'bearerAuth: scheme: expected the name of a scheme, got "To ken"',
      )
    })

    test.each<[string, any, Record<string, string>]>([
      ['bearerAuth', bearerAuth, { authorization: 'Bearer good' }],
      ['basicAuth', basicAuth, { authorization: basic('a:b') }],
      ['apiKey', apiKey, { 'x-api-key': 'good' }],
    ])('A1: %s: a response that verify returns is no user, but the answer', async (_, guard, headers) => {
      for (const verify of [() => json('later', 429), async () => Response.json('later', { status: 429 })])
        expect(await ask(guard({ verify }), headers)).toEqual({ status: 429, body: 'later', challenge: null })
    })

    test('A1: an error of the handler is not taken for a bad token', async () => {
      const fetch = door({
        use: [bearerAuth({ verify: () => 1 })],
        routes: [
          [
            'GET',
            '/',
            () => {
              throw new Error('broken')
            },
          ],
        ],
        onError: (error) => json({ mine: (error as Error).message }, 500),
      })
      const response = await fetch(new Request('http://localhost/', { headers: { authorization: 'Bearer x' } }))
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 500,
        body: { mine: 'broken' },
      })
    })

    test('a realm of the options is in the challenge', async () => {
      expect(await ask(bearerAuth({ verify, realm: 'my site' }))).toEqual({
        status: 401,
        body: { error: 'Unauthorized' },
        challenge: 'Bearer realm="my site"',
      })
    })
  })

  describe('basicAuth', () => {
    const step = basicAuth({ users: { ada: 'pass:word', grüße: 'ümlaut' } })
    const none = {
      status: 401,
      body: { error: 'Unauthorized' },
      challenge: 'Basic realm="restricted", charset="UTF-8"',
    }

    test.each<[string, string | undefined, unknown]>([
      ['a known user', basic('ada:pass:word'), { status: 200, body: { name: 'ada' }, challenge: null }],
      ['UTF-8', basic('grüße:ümlaut'), { status: 200, body: { name: 'grüße' }, challenge: null }],
      ['no header', undefined, none],
      ['another password', basic('ada:pass'), none],
      ['the password of another', basic('ada:ümlaut'), none],
      ['an unknown user', basic('bob:pass:word'), none],
      ['a name of Object.prototype', basic('constructor:x'), none],
      ['no colon', basic('ada'), none],
      ['nothing', 'Basic ', none],
      ['no base64', 'Basic ###', none],
      ['base64 of a wrong length', 'Basic QQQQQ', none],
      ['no UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`, none],
      ['another scheme', 'Bearer good', none],
    ])('A1, E4: %s', async (_, authorization, expected) => {
      expect(await ask(step, authorization === undefined ? {} : { authorization })).toEqual(expected)
    })

    test.each<[string, string | undefined]>([
      ['no header', undefined],
      ['no colon', basic('ada')],
      ['no base64', 'Basic ###'],
      ['no UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`],
      ['more before the scheme', `Very ${basic('a:b')}`],
      ['more after the credentials', `${basic('a:b')} more`],
    ])('A1: verify is not asked about %s', async (_, authorization) => {
      const own = basicAuth({ verify: () => ({ id: 1 }) })
      expect(await ask(own, authorization === undefined ? {} : { authorization })).toEqual(none)
    })

    test('A1: name and password are what is before and after the first colon, with spaces around the credentials', async () => {
      const own = basicAuth({ verify: (name, password) => ({ name, password }) })
      for (const [sent, user] of [
        ['a:b:c', { name: 'a', password: 'b:c' }],
        [':', { name: '', password: '' }],
        ['a:b\nc', { name: 'a', password: 'b\nc' }],
      ] as const)
        expect(await ask(own, { authorization: `${basic(sent).replace(' ', '   ')}  ` })).toMatchObject({ body: user })
    })

    test('what verify returns is the user', async () => {
      const own = basicAuth({ verify: async (name, password) => password === 'p' && { id: name } })
      expect(await ask(own, { authorization: basic('x:p') })).toEqual({
        status: 200,
        body: { id: 'x' },
        challenge: null,
      })
      expect(await ask(own, { authorization: basic('x:q') })).toEqual(none)
    })
  })

  describe('apiKey', () => {
    const step = apiKey({ hashes: [sha256('other'), sha256('key').toUpperCase()] })
    const challenge = 'ApiKey header="x-api-key"'

    test.each<[string, string | undefined, unknown]>([
      ['a known key', 'key', { status: 200, body: { keyHash: sha256('key') }, challenge: null }],
      ['another known key', 'other', { status: 200, body: { keyHash: sha256('other') }, challenge: null }],
      ['no key', undefined, { status: 401, body: { error: 'Unauthorized' }, challenge }],
      ['an empty key', '', { status: 401, body: { error: 'Unauthorized' }, challenge }],
      ['an unknown key', 'keys', { status: 401, body: { error: 'Invalid API key' }, challenge }],
      ['the hash itself', sha256('key'), { status: 401, body: { error: 'Invalid API key' }, challenge }],
    ])('A2, E4: %s', async (_, key, expected) => {
      expect(await ask(step, key === undefined ? {} : { 'x-api-key': key })).toEqual(expected)
    })

    test('A2: the header of the options is read, and verify decides about the key', async () => {
      const own = apiKey({ header: 'x-token', verify: (key) => key === 'k' && { team: 1 } })
      expect(await ask(own, { 'x-token': 'k' })).toEqual({ status: 200, body: { team: 1 }, challenge: null })
      expect(await ask(own, { 'x-token': 'l' })).toEqual({
        status: 401,
        body: { error: 'Invalid API key' },
        challenge: 'ApiKey header="x-token"',
      })
    })
  })
})

describe('made', () => {
  test.each<[string, () => unknown, string]>([
    [
      'bearerAuth without verify',
      () => bearerAuth({} as never),
      'bearerAuth: verify: expected a function, got undefined',
    ],
    [
      'a realm with quotes',
      () => bearerAuth({ verify: () => 1, realm: 'a"b' }),
      'bearerAuth: realm: expected a string without quotes and line breaks, got "a\\"b"',
    ],
    [
      'a realm with a line break',
      () => basicAuth({ users: { a: 'b' }, realm: 'a\nb' }),
      'basicAuth: realm: expected a string without quotes and line breaks, got "a\\nb"',
    ],
    [
      'basicAuth without anything',
      () => basicAuth({}),
      'basicAuth: users: expected a record of passwords, or verify, got undefined',
    ],
    [
      'a name with a colon',
      () => basicAuth({ users: { 'a:b': 'c' } }),
      'basicAuth: users: expected a name without a colon, got "a:b"',
    ],
    [
      'an empty password',
      () => basicAuth({ users: { a: '' } }),
      'basicAuth: users: a: expected a password that is not empty, got "string"',
    ],
    [
      'a password that is no text',
      () => basicAuth({ users: { a: 5 as never } }),
      'basicAuth: users: a: expected a password that is not empty, got "number"',
    ],
    [
      'apiKey without anything',
      () => apiKey({}),
      'apiKey: hashes: expected a list of hashes, or verify, got undefined',
    ],
    [
      'an invalid hash',
      () => apiKey({ hashes: ['key'] }),
      'apiKey: hashes: expected SHA-256 in hexadecimal, got "string"',
    ],
    ...['x', ''].map((before): [string, () => unknown, string] => [
      `a hash with more ${before ? 'before' : 'after'} it`,
      () => apiKey({ hashes: [`${before}${sha256('key')}${before ? '' : '\n'}`] }),
      'apiKey: hashes: expected SHA-256 in hexadecimal, got "string"',
    ]),
  ])('%s is refused', (_, make, message) => {
    expect(make).toThrow(new TypeError(message))
  })

  test('a bad header name is refused', () => {
    expect(() => apiKey({ header: 'x api', verify: () => 1 })).toThrow(TypeError)
  })
})
