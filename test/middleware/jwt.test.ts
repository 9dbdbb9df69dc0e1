import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as jose from 'jose'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { type SignJwtOptions, signJwt, verifyJwt } from '../../src/jwt.ts'
import { bearerAuth } from '../../src/middleware/bearer-auth.ts'
import { cache } from '../../src/middleware/cache.ts'
import { type JwtOptions, jwt } from '../../src/middleware/jwt.ts'
import { requireScopes } from '../../src/middleware/require-scopes.ts'
import { json } from '../../src/respond/json.ts'
import { doors } from '../harness.ts'

const secret = 'a secret of thirty-two bytes or more'
const NOW = 1_800_000_000_000
const now = () => NOW
const at = (seconds: number) => NOW / 1000 + seconds

const rsa = await jose.generateKeyPair('RS256', { extractable: true })
const next = await jose.generateKeyPair('RS256', { extractable: true })
const ec = await jose.generateKeyPair('ES256', { extractable: true })
const shared = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify'])
const publicPem = await jose.exportSPKI(rsa.publicKey)
const privatePem = await jose.exportPKCS8(rsa.privateKey)

const sign = (claims: object = {}, options: Partial<SignJwtOptions> = {}) =>
  signJwt({ ...claims }, { ...(!options.privateKey && { secret }), expiresIn: 60, now, ...options })
/** A token with whatever header and claims, signed by jose itself. */
const forged = (header: object, claims: object, key: any) =>
  new jose.SignJWT({ ...claims }).setProtectedHeader(header as never).sign(key)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const none = { status: 401, body: { error: 'Unauthorized' }, challenge: 'Bearer realm="api"' }
const bad = {
  status: 401,
  body: { error: 'Invalid token', code: 'invalid_token' },
  challenge: 'Bearer realm="api", error="invalid_token"',
}

describe.each(doors)('MX3: jwt through %s', (_, door) => {
  const ask = async (options: Partial<JwtOptions<any>>, headers: Record<string, string>, more: any[] = []) => {
    const step = jwt({ algorithms: ['HS256'], ...(!options.publicKey && !options.jwks && { secret }), now, ...options })
    const fetch = door({
      use: [step, ...more],
      routes: [['GET', '/', (ctx) => json({ jwt: ctx.state.jwt, scopes: ctx.state.scopes })]],
    })
    const response = await fetch(new Request('http://localhost/', { headers }))
    return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const statusOf = async (options: Partial<JwtOptions<any>>, token: string) =>
    (await ask(options, bearer(token))).status

  test('MX3: a good token gives its claims and scopes', async () => {
    const token = await sign({ scope: 'a b', name: 'Ada' }, { subject: '7', issuer: 'me', audience: 'shop' })
    expect(await ask({ issuer: 'me', audience: ['other', 'shop'] }, bearer(token))).toEqual({
      status: 200,
      body: {
        jwt: { scope: 'a b', name: 'Ada', sub: '7', iss: 'me', aud: ['shop'], iat: at(0), exp: at(60) },
        scopes: ['a', 'b'],
      },
      challenge: null,
    })
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('MX3: the scheme in any case: %s', async (scheme) => {
    expect((await ask({}, { authorization: `${scheme} ${await sign()} ` })).status).toBe(200)
  })

  test('MX3: the scheme and the token need a space between them', async () => {
    expect(await ask({}, { authorization: `Bearer${await sign()}` })).toEqual(none)
  })

  test('NA20: another scheme, in any case, and no other', async () => {
    const token = await sign()
    const status = async (authorization: string) => (await ask({ scheme: 'Token' }, { authorization })).status
    expect({
      own: await status(`Token ${token}`),
      inAnyCase: await status(`token ${token}`),
      other: await status(`Bearer ${token}`),
    }).toEqual({ own: 200, inAnyCase: 200, other: 401 })
    expect((await ask({ scheme: 'Token' }, {})).challenge).toBe('Token realm="api"')
  })

  test('NA20: an optional token: none passes, a bad one and another scheme are refused', async () => {
    const options = { optional: true, cookie: 'token' } as const
    const token = await sign()
    expect({
      none: await ask(options, {}),
      emptyCookie: await ask(options, { cookie: 'token=' }),
      good: (await ask(options, bearer(token))).status,
      goodCookie: (await ask(options, { cookie: `token=${token}` })).status,
      bad: await ask(options, bearer('bad')),
      badCookie: await ask(options, { cookie: 'token=bad' }),
      otherScheme: await ask(options, { authorization: 'Basic YTpi' }),
    }).toEqual({
      none: { status: 200, body: {}, challenge: null },
      emptyCookie: { status: 200, body: {}, challenge: null },
      good: 200,
      goodCookie: 200,
      bad,
      badCookie: bad,
      otherScheme: none,
    })
  })

  test('MX3: one of several issuers is accepted, and scopes that are not strings are left out', async () => {
    const token = await sign({ scope: ['a', 7, '', null, 'b'] }, { issuer: 'me' })
    const { status, body } = await ask({ issuer: ['other', 'me'] }, bearer(token))
    expect({ status, scopes: body.scopes }).toEqual({ status: 200, scopes: ['a', 'b'] })
    expect((await ask({ issuer: ['other'] }, bearer(token))).status).toBe(401)
    expect((await ask({}, bearer(await sign({ scope: 'a  b ' })))).body.scopes).toEqual(['a', 'b'])
  })

  test('MX3: an asynchronous schema is awaited', async () => {
    const schema = z.object({ name: z.string() }).refine(async ({ name }) => name === 'Ada')
    expect((await ask({ schema }, bearer(await sign({ name: 'Ada' })))).status).toBe(200)
    expect(await ask({ schema }, bearer(await sign({ name: 'Bob' })))).toEqual(bad)
  })

  test('MX3: what a token in a cookie gave is not cached for others', async () => {
    const fetch = door({
      use: [cache({ maxAge: 60 }), jwt({ algorithms: ['HS256'], secret, now, cookie: 'token' })],
      routes: [['GET', '/', (ctx) => json(ctx.state.jwt.sub, 200, { 'cache-control': 'max-age=60' })]],
    })
    const of = async (subject: string) => {
      const headers = { cookie: `token=${await sign({}, { subject })}` }
      return (await fetch(new Request('http://localhost/', { headers }))).json()
    }
    expect({ ann: await of('ann'), bob: await of('bob') }).toEqual({ ann: 'ann', bob: 'bob' })
    expect((await fetch('/')).status).toBe(401)
  })

  test('MX3: a key set as an object, with the key that the token names', async () => {
    const keys = [
      { ...(await jose.exportJWK(next.publicKey)), kid: 'next' },
      { ...(await jose.exportJWK(rsa.publicKey)), kid: 'rsa' },
    ]
    const options = { algorithms: ['RS256'], jwks: { keys } }
    for (const [kid, key] of [
      ['next', next],
      ['rsa', rsa],
    ] as const)
      expect(await statusOf(options, await forged({ alg: 'RS256', kid }, { exp: at(60) }, key.privateKey))).toBe(200)
    expect(await statusOf(options, await forged({ alg: 'RS256', kid: 'x' }, { exp: at(60) }, rsa.privateKey))).toBe(401)
  })

  test.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['two tokens', { authorization: 'Bearer a.b.c, Bearer a.b.c' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('MX3: %s is asked for a token', async (_, headers) => {
    expect(await ask({}, headers)).toEqual(none)
  })

  test.each<[string, () => Promise<string> | string]>([
    ['a text that is no token', () => 'abc'],
    ['another secret', () => sign({}, { secret: 'another secret of thirty-two bytes' })],
    ['alg none', () => `${part({ alg: 'none' })}.${part({ exp: at(60) })}.`],
    ['alg nOnE', () => `${part({ alg: 'nOnE' })}.${part({ exp: at(60) })}.`],
    ['an algorithm that is not listed', () => sign({}, { algorithm: 'HS512' })],
    ['a signature that was cut', async () => (await sign()).slice(0, -2)],
    ['claims that were changed', async () => (await sign()).replace(/\.[^.]+\./, `.${part({ exp: at(99) })}.`)],
    ['no exp', () => forged({ alg: 'HS256' }, {}, new TextEncoder().encode(secret))],
    ['an exp that is a text', () => forged({ alg: 'HS256' }, { exp: '9999999999' }, new TextEncoder().encode(secret))],
    ['an nbf ahead', () => sign({ nbf: at(1) })],
    [
      'an unknown critical header',
      () =>
        forged({ alg: 'HS256', crit: ['x'], x: 1 }, { exp: at(60) }, new TextEncoder().encode(secret)).catch(
          () => `${part({ alg: 'HS256', crit: ['x'], x: 1 })}.${part({ exp: at(60) })}.AAAA`,
        ),
    ],
    ['a token of many parts', () => 'a.'.repeat(2000)],
  ])('MX3: refuses %s', async (_, token) => {
    expect(await ask({}, bearer(await token()))).toEqual(bad)
  })

  test.each<[string, object, Partial<JwtOptions>, number]>([
    ['one second before it expires', { exp: at(1) }, {}, 200],
    ['at the second in which it expires', { exp: at(0) }, {}, 401],
    ['expired, within the tolerance', { exp: at(-9) }, { clockTolerance: 10 }, 200],
    ['expired, at the tolerance', { exp: at(-10) }, { clockTolerance: 10 }, 401],
    ['not yet valid, within the tolerance', { exp: at(60), nbf: at(10) }, { clockTolerance: 10 }, 200],
    ['not yet valid, past the tolerance', { exp: at(60), nbf: at(11) }, { clockTolerance: 10 }, 401],
    ['as old as maxAge', { exp: at(60), iat: at(-30) }, { maxAge: 30 }, 200],
    ['older than maxAge', { exp: at(60), iat: at(-31) }, { maxAge: 30 }, 401],
    ['another issuer', { exp: at(60), iss: 'you' }, { issuer: 'me' }, 401],
    ['no issuer', { exp: at(60) }, { issuer: 'me' }, 401],
    ['another audience', { exp: at(60), aud: ['x'] }, { audience: 'shop' }, 401],
    ['without exp where it is not required', {}, { required: [] }, 200],
    ['without a required claim', { exp: at(60) }, { required: ['exp', 'sub'] }, 401],
    ['another type', { exp: at(60) }, { type: 'at+jwt' }, 401],
  ])('MX3: %s', async (_, claims, options, status) => {
    const token = await forged({ alg: 'HS256' }, claims, new TextEncoder().encode(secret))
    expect(await statusOf(options, token)).toBe(status)
  })

  test('MX3: a token of the expected type is accepted', async () => {
    expect(await statusOf({ type: 'at+jwt' }, await sign({}, { type: 'at+jwt' }))).toBe(200)
  })

  test('MX3: a token of maxLength is accepted, a longer one is refused', async () => {
    const token = await sign()
    expect(await statusOf({ maxLength: token.length }, token)).toBe(200)
    expect(await statusOf({ maxLength: token.length - 1 }, token)).toBe(401)
  })

  test('MX3: a token that is signed with any of several secrets is accepted', async () => {
    const options = { secret: ['a newer secret of thirty-two bytes!', secret] }
    expect(await statusOf(options, await sign())).toBe(200)
    expect(await statusOf(options, await sign({}, { secret: options.secret[0]! }))).toBe(200)
    expect(await statusOf(options, await sign({}, { secret: 'a third secret of thirty-two bytes!' }))).toBe(401)
  })

  describe('a public key', () => {
    const options = { algorithms: ['RS256'], publicKey: publicPem }

    test('MX3: as PEM, as JWK and as CryptoKey', async () => {
      const token = await sign({}, { privateKey: privatePem, algorithm: 'RS256' })
      const jwk = await jose.exportJWK(rsa.publicKey)
      for (const publicKey of [publicPem, jwk, rsa.publicKey])
        expect(await statusOf({ algorithms: ['RS256'], publicKey }, token)).toBe(200)
      expect(await statusOf({ algorithms: ['RS256'], publicKey: await jose.exportJWK(next.publicKey) }, token)).toBe(
        401,
      )
    })

    test('MX3: algorithm confusion: the public key as the secret of HS256 is refused', async () => {
      for (const text of [publicPem, publicPem.trim(), publicPem.replaceAll('\n', '')]) {
        const token = await forged({ alg: 'HS256' }, { exp: at(60) }, new TextEncoder().encode(text))
        expect(await ask(options, bearer(token))).toEqual(bad)
      }
    })

    test('MX3: a key in the header of the token is not believed', async () => {
      const jwk = await jose.exportJWK(next.publicKey)
      const token = await forged({ alg: 'RS256', jwk, jku: 'http://127.0.0.1:1/' }, { exp: at(60) }, next.privateKey)
      expect(await statusOf(options, token)).toBe(401)
    })
  })

  test.each([
    ['a cookie where there is no Authorization', (token: string) => ({ cookie: `a=b; token=${token}` }), 200],
    ['Authorization wins', (token: string) => ({ cookie: `token=${token}`, authorization: 'Bearer x' }), 401],
    [
      'Authorization of another scheme wins',
      (token: string) => ({ cookie: `token=${token}`, authorization: 'Basic x' }),
      401,
    ],
    ['another cookie', (token: string) => ({ cookie: `tok=${token}` }), 401],
  ])('MX3: %s', async (_, headers, status) => {
    expect((await ask({ cookie: 'token' }, headers(await sign()))).status).toBe(status)
  })

  test('MX3: without the option a cookie is not read', async () => {
    expect(await ask({}, { cookie: `token=${await sign()}` })).toEqual(none)
  })

  test('MX3: claims that a schema gives, and claims that do not fit', async () => {
    const schema = z.object({ sub: z.string().transform(Number) })
    expect(await ask({ schema }, bearer(await sign({ scope: 'a' }, { subject: '7' })))).toEqual({
      status: 200,
      body: { jwt: { sub: 7 }, scopes: ['a'] },
      challenge: null,
    })
    expect(await ask({ schema }, bearer(await sign()))).toEqual(bad)
  })

  test.each<[string, object, string[], number]>([
    ['all scopes', { scope: 'a b c' }, ['a', 'b'], 200],
    ['scp as a list', { scp: ['a', 'b'] }, ['a', 'b'], 200],
    ['one is missing', { scope: 'a' }, ['a', 'b'], 403],
    ['a part of a name', { scope: 'abc' }, ['a'], 403],
    ['no scopes', {}, ['a'], 403],
    ['scopes of a wrong type', { scope: 7 }, ['a'], 403],
  ])('MX3: requireScopes: %s', async (_, claims, scopes, status) => {
    const { status: got, body, challenge } = await ask({}, bearer(await sign(claims)), [requireScopes(...scopes)])
    expect(got).toBe(status)
    if (status === 403) {
      expect(body).toEqual({ error: 'Insufficient scope', code: 'insufficient_scope' })
      expect(challenge).toBe(`Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
    }
  })

  test('MX3: requireScopes without jwt refuses', async () => {
    const fetch = door({ use: [requireScopes('a')], routes: [['GET', '/', () => json(1)]] })
    expect((await fetch('/')).status).toBe(403)
  })

  describe('a key set by URL', () => {
    let server: Server
    let url = ''
    let asked = 0
    let answer: () => [status: number, body: string] = () => [500, '']
    const keySet = async (...keys: [string, jose.CryptoKey][]) => {
      const list = await Promise.all(keys.map(async ([kid, key]) => ({ ...(await jose.exportJWK(key)), kid })))
      const body = JSON.stringify({ keys: list })
      answer = () => [200, body]
    }
    const tokenBy = (kid: string, privateKey: jose.CryptoKey, algorithm = 'RS256') =>
      sign({}, { privateKey, algorithm, keyId: kid })

    beforeAll(async () => {
      server = createServer((_, response) => {
        asked++
        const [status, body] = answer()
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
    })
    afterAll(() => new Promise((resolve) => void server.close(resolve)))

    const clientOf = (more: Partial<JwtOptions> = {}) => {
      asked = 0
      const step = jwt({ algorithms: ['RS256', 'ES256'], jwks: url, now, ...more })
      const fetch = door({ use: [step], routes: [['GET', '/', () => json(1)]] })
      return async (token: string) => (await fetch(new Request('http://localhost/', { headers: bearer(token) }))).status
    }

    test('MX3: it is fetched once, with the first token, for any number of requests', async () => {
      await keySet(['1', rsa.publicKey], ['2', ec.publicKey])
      const status = clientOf()
      expect(asked).toBe(0)
      const tokens = [await tokenBy('1', rsa.privateKey), await tokenBy('2', ec.privateKey, 'ES256')]
      expect(await Promise.all(tokens.concat(tokens).map(status))).toEqual([200, 200, 200, 200])
      expect(asked).toBe(1)
    })

    test('MX3: a new key is fetched after the cooldown, and an unknown one not more often than that', async () => {
      await keySet(['1', rsa.publicKey])
      const cold = clientOf({ jwksCooldownMs: 600_000 })
      expect(await cold(await tokenBy('1', rsa.privateKey))).toBe(200)
      await keySet(['2', next.publicKey])
      for (let turn = 0; turn < 20; turn++) expect(await cold(await tokenBy('2', next.privateKey))).toBe(401)
      expect(asked).toBe(1)
      await keySet(['1', rsa.publicKey])
      const status = clientOf({ jwksCooldownMs: 0 })
      expect(await status(await tokenBy('1', rsa.privateKey))).toBe(200)
      await keySet(['2', next.publicKey])
      expect(await status(await tokenBy('2', next.privateKey))).toBe(200)
      expect(await status(await tokenBy('1', rsa.privateKey))).toBe(401)
    })

    test('MX3: a key set is fetched again when it is older than its limit', async () => {
      await keySet(['1', rsa.publicKey])
      const status = clientOf({ jwksMaxAgeMs: 1 })
      const token = await tokenBy('1', rsa.privateKey)
      for (let turn = 1; turn <= 3; turn++) {
        expect(await status(token)).toBe(200)
        expect(asked).toBe(turn)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })

    test('MX3: two keys that both fit are tried in turn', async () => {
      const list = await Promise.all([next.publicKey, rsa.publicKey].map((key) => jose.exportJWK(key)))
      answer = () => [200, JSON.stringify({ keys: list })]
      const status = clientOf()
      expect(await status(await sign({}, { privateKey: rsa.privateKey, algorithm: 'RS256' }))).toBe(200)
      const third = await jose.generateKeyPair('RS256')
      expect(await status(await sign({}, { privateKey: third.privateKey, algorithm: 'RS256' }))).toBe(401)
    })

    test('MX3: the confusion of a key set: the modulus as the secret of HS256', async () => {
      await keySet(['1', rsa.publicKey])
      const { n } = await jose.exportJWK(rsa.publicKey)
      const token = await forged({ alg: 'HS256', kid: '1' }, { exp: at(60) }, new TextEncoder().encode(n))
      expect(await clientOf()(token)).toBe(401)
    })

    test.each<[string, () => [number, string]]>([
      ['an error', () => [500, 'broken']],
      ['no JSON', () => [200, '<html>']],
      ['no key set', () => [200, '{"keys":7}']],
    ])('MX3: a key set that cannot be had is answered with 503: %s', async (_, broken) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      answer = broken
      expect(await clientOf()(await tokenBy('1', rsa.privateKey))).toBe(503)
      expect(log).toHaveBeenCalled()
      log.mockRestore()
    })
  })
})

describe('MX3: options', () => {
  const fine = { algorithms: ['HS256'], secret }
  test.each<[string, any, RegExp]>([
    ['no algorithms', { secret }, /^jwt: algorithms: expected a list such as \["RS256"\], got undefined$/],
    ['an empty list', { ...fine, algorithms: [] }, /^jwt: algorithms: /],
    ['none', { ...fine, algorithms: ['none'] }, /^jwt: algorithms: expected some of HS256, HS384, HS512, got "none"$/],
    ['a secret for RS256', { ...fine, algorithms: ['HS256', 'RS256'] }, /^jwt: algorithms: expected some of HS256/],
    ['a public key for HS256', { algorithms: ['HS256'], publicKey: publicPem }, /^jwt: algorithms: .*got "HS256"$/],
    ['none for a public key', { algorithms: ['none'], publicKey: publicPem }, /^jwt: algorithms: .*got "none"$/],
    ['none for a key set', { algorithms: ['RS256', 'none'], jwks: 'https://a.example' }, /got "none"$/],
    ['a key set for HS256', { algorithms: ['RS256', 'HS256'], jwks: 'https://a.example' }, /got "HS256"$/],
    ['PEM as the secret', { ...fine, secret: publicPem }, /^jwt: secret: expected a secret, which a PEM key is not/],
    ['no key', { algorithms: ['HS256'] }, /^jwt: secret: expected exactly one of secret, publicKey and jwks/],
    ['two keys', { ...fine, jwks: 'https://a.example' }, /^jwt: secret: expected exactly one/],
    ['a public key that is a secret', { algorithms: ['RS256'], publicKey: { kty: 'oct', k: 'eA' } }, /publicKey/],
    [
      'a public key that is a secret of Web Crypto',
      { algorithms: ['RS256'], publicKey: shared },
      /^jwt: publicKey: expected a public key, which a shared secret is not, got "a secret"$/,
    ],
    ...['XHS256', 'HS2567', 'RS256'].map((name): [string, any, RegExp] => [
      `${name} with a secret`,
      { algorithms: [name], secret },
      /^jwt: algorithms: expected some of HS256, HS384, HS512, got /,
    ]),
    ...['XRS256', 'RS2567', 'XEdDSA', 'RS255'].map((name): [string, any, RegExp] => [
      `${name} with a public key`,
      { algorithms: [name], publicKey: publicPem },
      /^jwt: algorithms: expected some of RS256, ES256, EdDSA …, got /,
    ]),
    ...['jwksCooldownMs', 'jwksMaxAgeMs', 'jwksTimeoutMs'].map((name): [string, any, RegExp] => [
      name,
      { algorithms: ['RS256'], jwks: 'https://a.example', [name]: -1 },
      new RegExp(`^jwt: ${name}: expected a whole number of milliseconds from 0 to 2147483647, got -1$`),
    ]),
    ['a URL that only contains one', { algorithms: ['RS256'], jwks: 'x-https://a.example' }, /^jwt: jwks: expected/],
    ['an age', { ...fine, maxAge: 0 }, /^jwt: maxAge: expected a whole number of seconds from 1, got 0$/],
    ['a length', { ...fine, maxLength: 0 }, /^jwt: maxLength: expected a whole number of characters from 1, got 0$/],
    ['claims', { ...fine, required: 'exp' }, /^jwt: required: expected a list of claims, got "exp"$/],
    ['a number as the issuer', { ...fine, issuer: 7 }, /^jwt: issuer: expected a non-empty string/],
    ['numbers as the audience', { ...fine, audience: [7] }, /^jwt: audience: expected a non-empty string/],
    ['an empty text in a list', { ...fine, audience: ['a', ''] }, /^jwt: audience: expected a non-empty string/],
    [
      'algorithms of two keys',
      { algorithms: ['RS256', 'ES256'], publicKey: publicPem },
      /^jwt: algorithms: .*same type of key/,
    ],
    [
      'algorithms of two curves',
      { algorithms: ['ES384', 'ES256'], publicKey: publicPem },
      /^jwt: algorithms: .*same type of key/,
    ],
    ['two for an imported key', { algorithms: ['RS256', 'PS256'], publicKey: rsa.publicKey }, /^jwt: algorithms: /],
    ['a text that is no key', { algorithms: ['RS256'], publicKey: 'abc' }, /^jwt: publicKey: expected PEM/],
    [
      'a malformed key set',
      { algorithms: ['RS256'], jwks: { keys: 'a' } },
      /^jwt: jwks: expected an http or https URL/,
    ],
    ['a key set of strings', { algorithms: ['RS256'], jwks: { keys: ['a'] } }, /^jwt: jwks: expected an http or https/],
    ['a URL', { algorithms: ['RS256'], jwks: 'file:///keys' }, /^jwt: jwks: expected an http or https URL/],
    ['a tolerance', { ...fine, clockTolerance: '5s' }, /^jwt: clockTolerance: expected a whole number of seconds/],
    ['an empty issuer', { ...fine, issuer: '' }, /^jwt: issuer: expected a non-empty string/],
    ['an empty audience list', { ...fine, audience: [] }, /^jwt: audience: expected a non-empty string/],
    [
      'an unknown name',
      { ...fine, algorithm: 'HS256' },
      /^jwt: algorithm: unknown option, did you mean "algorithms"\?$/,
    ],
    ['a realm', { ...fine, realm: 'a"b' }, /^jwt: realm: /],
  ])('MX3: refuses %s', (_, options, message) => {
    expect(() => jwt(options)).toThrow(message)
  })

  test.each<[string, any]>([
    ['the smallest limits', { ...fine, maxAge: 1, maxLength: 1, clockTolerance: 0 }],
    ['several algorithms of RSA for a PEM key', { algorithms: ['RS256', 'PS512'], publicKey: publicPem }],
    ['both names of Ed25519', { algorithms: ['EdDSA', 'Ed25519'], publicKey: publicPem }],
  ])('MX3: accepts %s', (_, options) => {
    expect(() => jwt(options)).not.toThrow()
  })

  test.each<[string, string[]]>([
    ['no scope', []],
    ['a scope with a space', ['a b']],
    ['a scope with a quote', ['a"b']],
  ])('MX3: requireScopes refuses %s', (_, scopes) => {
    expect(() => requireScopes(...scopes)).toThrow(/^requireScopes: scopes: expected /)
  })

  test.each<[string, any, RegExp]>([
    ['a secret with RS256', { secret, algorithm: 'RS256', expiresIn: 1 }, /^signJwt: algorithm: expected HS256/],
    ['a private key with HS256', { privateKey: privatePem, algorithm: 'HS256', expiresIn: 1 }, /^signJwt: algorithm: /],
    ['a private key without algorithm', { privateKey: privatePem, expiresIn: 1 }, /^signJwt: algorithm: /],
    ['none', { privateKey: privatePem, algorithm: 'none', expiresIn: 1 }, /^signJwt: algorithm: /],
    ['no end', { secret }, /^signJwt: expiresIn: expected a whole number of seconds from 1, got undefined$/],
    ['no key', { expiresIn: 1 }, /^signJwt: secret: expected exactly one of secret and privateKey/],
  ])('MX3: signJwt refuses %s', async (_, options, message) => {
    await expect(signJwt({}, options)).rejects.toThrow(message)
  })

  test('MX3: jose verifies what signJwt signs, with its claims and header', async () => {
    const token = await sign(
      { a: 1 },
      {
        privateKey: await jose.exportJWK(ec.privateKey),
        algorithm: 'ES256',
        keyId: 'k',
        issuer: 'me',
        audience: 'you',
      },
    )
    const { payload, protectedHeader } = await jose.jwtVerify(token, ec.publicKey, { currentDate: new Date(NOW) })
    expect(payload).toEqual({ a: 1, iss: 'me', aud: ['you'], iat: at(0), exp: at(60) })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'k' })
  })
})

describe('NA20: verifyJwt', () => {
  const verify = verifyJwt({ algorithms: ['HS256'], secret, now, audience: 'refresh' })
  test.each<[string, () => unknown, boolean]>([
    ['a good token', () => sign({}, { audience: 'refresh', subject: '7' }), true],
    ['a token for something else', () => sign({}, { audience: 'shop' }), false],
    ['an expired one', () => sign({}, { audience: 'refresh', now: () => NOW - 61_000 }), false],
    ['another key', () => sign({}, { audience: 'refresh', secret: 'x'.repeat(40) }), false],
    ['one that is too long', () => 'x'.repeat(8_193), false],
    ['no token', () => '', false],
    ['what is no text', () => undefined, false],
    ['a record', () => ({ length: 1 }), false],
  ])('%s', async (_, make, fine) => {
    const claims = await verify((await make()) as string)
    expect(claims?.sub).toBe(fine ? '7' : undefined)
  })

  test('gives what the schema makes of the claims', async () => {
    const typed = verifyJwt({
      algorithms: ['HS256'],
      secret,
      now,
      schema: z.object({ sub: z.string().transform(Number) }),
    })
    const claims = await typed(await sign({}, { subject: '7' }))
    expect({ good: claims?.sub, bad: await typed(await sign()) }).toEqual({ good: 7, bad: undefined })
  })

  test.each<[string, any, string]>([
    ['an unknown option', { algorithms: ['HS256'], secret, cookie: 'a' }, 'verifyJwt: cookie: unknown option'],
    ['no algorithms', { secret }, 'verifyJwt: algorithms: expected a list such as ["RS256"]'],
    [
      'a bad age',
      { algorithms: ['HS256'], secret, maxAge: 0 },
      'verifyJwt: maxAge: expected a whole number of seconds',
    ],
  ])('refuses %s', (_, options, message) => {
    expect(() => verifyJwt(options)).toThrow(message)
  })
})

test('NA20: the types of optional guards say that there may be nobody', () => {
  const verify = () => ({ id: 7 })
  createApp<unknown, {}>()
    .get('/a', bearerAuth({ verify, optional: true }), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<{ id: number } | undefined>()
      return ctx.text('')
    })
    .get('/b', jwt({ algorithms: ['HS256'], secret, optional: true }), (ctx) => {
      expectTypeOf(ctx.state.jwt).toEqualTypeOf<jose.JWTPayload | undefined>()
      expectTypeOf(ctx.state.scopes).toEqualTypeOf<readonly string[] | undefined>()
      return ctx.text('')
    })
    .get('/c', bearerAuth({ verify }), (ctx) => {
      expectTypeOf(ctx.state.user).toEqualTypeOf<{ id: number }>()
      return ctx.text('')
    })
})
