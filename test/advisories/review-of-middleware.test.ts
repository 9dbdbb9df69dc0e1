import { createHash, createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { clientAddress } from '../../src/client-address.ts'
import { html } from '../../src/html.ts'
import { apiKey } from '../../src/middleware/api-key.ts'
import { cache } from '../../src/middleware/cache.ts'
import { csrf } from '../../src/middleware/csrf.ts'
import { idempotency } from '../../src/middleware/idempotency.ts'
import { ipRestriction } from '../../src/middleware/ip-restriction.ts'
import { jwt } from '../../src/middleware/jwt.ts'
import { session } from '../../src/middleware/session.ts'
import { trustedProxy } from '../../src/middleware/trusted-proxy.ts'
import { webhook } from '../../src/middleware/webhook.ts'
import { text } from '../../src/respond/text.ts'
import { peerOf as bunPeerOf } from '../../src/runtime/bun/request.ts'
import { memoryIdempotency } from '../../src/stores/memory-idempotency.ts'
import { redisCache } from '../../src/stores/redis-cache.ts'
import { doors } from '../harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(doors)('found by a reader of the middleware, %s', (_, door) => {
  test('F8: what the cache makes again comes from the client that found it stale', async () => {
    let time = 1_700_000_000_000
    const pending: Promise<unknown>[] = []
    const execution = { peer: '192.0.2.1', waitUntil: (work: Promise<unknown>) => void pending.push(work) }
    const seen: unknown[] = []
    const fetch = door({
      use: [
        ipRestriction({ allow: ['192.0.2.1'] }),
        trustedProxy({ trustProxy: 1 }),
        cache({ maxAge: 1, staleWhileRevalidate: 60, now: () => time }),
      ],
      routes: [
        [
          'GET',
          '/',
          (ctx) =>
            text(
              `${seen.push({ url: ctx.url.href, client: clientAddress(ctx, { trustProxy: 1 }), extra: ctx.execution?.extra })}`,
            ),
        ],
      ],
    })
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' }
    const ask = async () =>
      (await fetch(new Request('http://localhost/', { headers }), {}, { ...execution, extra: 1 } as never)).text()
    expect(await ask()).toBe('1')
    time += 5000
    expect(await ask()).toBe('1')
    await Promise.all(pending)
    expect(await ask()).toBe('2')
    expect(seen).toEqual([
      { url: 'https://shop.test/', client: '198.51.100.7', extra: 1 },
      { url: 'https://shop.test/', client: '198.51.100.7', extra: 1 },
    ])
  })

  const long = 'a secret of thirty-two bytes or more'
  test.each<[string, any[], any[], Record<string, string>, (ctx: any) => unknown]>([
    ['a token of csrf', [csrf({ secret: long })], [], {}, (ctx) => ctx.state.csrfToken],
    [
      'the content of a new session',
      [session({ secret: long })],
      [],
      {},
      (ctx) => (ctx.state.session.id = Math.random()),
    ],
    [
      'what an API key gives access to',
      [],
      [apiKey({ verify: (key) => ({ key }) })],
      { 'x-api-key': 'k' },
      () => Math.random(),
    ],
    [
      'the same, with the key looked at before',
      [apiKey({ verify: (key) => ({ key }) })],
      [],
      { 'x-api-key': 'k' },
      () => Math.random(),
    ],
  ])('F1: the cache keeps nothing of one client for others: %s', async (_, before, after, headers, make) => {
    for (const [fields, shared] of [
      [{}, false],
      [{ 'cache-control': 'max-age=60' }, false],
      [{ 'cache-control': 'public, max-age=60' }, true],
    ] as const) {
      const fetch = door({
        use: [...before, cache({ maxAge: 60 }), ...after],
        routes: [['GET', '/', (ctx) => text(`${make(ctx)}`, 200, fields)]],
      })
      const ask = async () => (await fetch(new Request('http://localhost/', { headers }))).text()
      const [first, second] = [await ask(), await ask()]
      expect(first === second).toBe(shared)
    }
  })

  test('F1: the cache stores a response if its session was not used', async () => {
    let count = 0
    const fetch = door({
      use: [session({ secret: long }), csrf({ secret: long }), cache({ maxAge: 60 })],
      routes: [['GET', '/', () => text(`${++count}`)]],
    })
    for (let round = 0; round < 2; round++) expect(await (await fetch('/')).text()).toBe('1')
  })

  test('F1: a response that used a session is not stored, whatever its Cache-Control', async () => {
    const fetch = door({
      use: [session({ secret: long }), cache({ maxAge: 60 })],
      routes: [
        [
          'GET',
          '/login/:name',
          (ctx) => {
            ctx.state.session.name = ctx.params.name
            return text('welcome')
          },
        ],
        ['GET', '/', (ctx) => text(`${ctx.state.session.name}`, 200, { 'cache-control': 'max-age=60' })],
      ],
    })
    const nameOf = async (name: string) => {
      const cookie = (await fetch(`/login/${name}`)).headers.get('set-cookie')!.split(';')[0]!
      return (await fetch(new Request('http://localhost/', { headers: { cookie } }))).text()
    }
    expect({ ada: await nameOf('ada'), bob: await nameOf('bob') }).toEqual({ ada: 'ada', bob: 'bob' })
  })

  test('F15: addresses and fields that clients choose are short keys in a shared store, and none outlives its answer', async () => {
    const kept = new Map<string, string>()
    const lives: number[] = []
    let moments = 0
    const send = async (args: readonly string[]) => {
      const [command, key = '', value = '', , life] = args
      if (command === 'GET') return kept.get(key) ?? null
      if (command !== 'SET' && command !== 'EVAL') throw new Error(`${command} is not expected`)
      const [, , , place = '', begun, json, seconds] = args
      if (place === 'sluice:cache:time') return ['1700000000', `${++moments}`]
      lives.push(Number(command === 'SET' ? life : seconds))
      if (command === 'SET') kept.set(key, value)
      else kept.set(place, `${'0'.repeat(16)}${begun}${json}`)
      return 1
    }
    let count = 0
    const fetch = door({
      use: [cache({ store: redisCache({ send }) })],
      routes: [['GET', '/', () => text(`${++count}`, 200, { 'cache-control': 'max-age=60', vary: 'x-secret' })]],
    })
    const ask = async (query: string, secret: string) =>
      (await fetch(new Request(`http://localhost/?${query}`, { headers: { 'x-secret': secret.repeat(500) } }))).text()
    const long = 'x'.repeat(8000)
    const seen = [await ask(long, 'a'), await ask(long, 'b'), await ask(`${long}y`, 'a'), await ask(long, 'a')]
    expect(seen).toEqual(['1', '2', '3', '1'])
    expect(Math.max(...[...kept.keys()].map((key) => key.length))).toBeLessThan(200)
    expect(Math.max(...lives)).toBeLessThanOrEqual(60)
  })

  test('F7: a body that breaks off before it is kept frees its key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    let count = 0
    const broken = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(10))
          setTimeout(() => controller.error(new Error('broken')), 1)
        },
      })
    const fetch = door({
      use: [idempotency({ scope: () => '', store: memoryIdempotency() })],
      routes: [['POST', '/', () => (++count === 1 ? new Response(broken()) : text('done'))]],
    })
    const ask = () => fetch(new Request('http://localhost/', { method: 'POST', headers: { 'idempotency-key': 'a' } }))
    expect({ firstStatus: (await ask()).status, secondStatus: (await ask()).status, count }).toEqual({
      firstStatus: 500,
      secondStatus: 200,
      count: 2,
    })
  })

  test('F12: a key of idempotency is not a message of webhook, in one store', async () => {
    const store = memoryIdempotency()
    const secret = 'a secret of thirty-two bytes or more'
    const fetch = door({
      routes: [
        ['POST', '/hook', webhook({ scheme: 'github', secret, store }), () => text('handled')],
        ['POST', '/pay', idempotency({ scope: () => '', store }), () => text('paid')],
      ],
    })
    const body = '{"a":1}'
    const hook = () => {
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      return fetch(
        new Request('http://localhost/hook', { method: 'POST', body, headers: { 'x-hub-signature-256': signature } }),
      )
    }
    const pay = () => {
      const id = createHash('sha256').update(`${body.length}:${body}`).digest('hex')
      const headers = { authorization: 'webhook github', 'idempotency-key': id }
      return fetch(new Request('http://localhost/pay', { method: 'POST', headers }))
    }
    expect(await (await pay()).text()).toBe('paid')
    expect(await (await hook()).text()).toBe('handled')
    expect((await pay()).status).toBe(200)
  })

  test('MX3: a key for another algorithm is an error of the service, and reported', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
      true,
      ['sign', 'verify'],
    )
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64')
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const authorization = `Bearer ${part({ alg: 'ES256' })}.${part({ exp: 9e9 })}.AAAA`
    const fetch = door({
      use: [jwt({ algorithms: ['ES256'], publicKey: pem })],
      routes: [['GET', '/', () => text('in')]],
    })
    const response = await fetch(new Request('http://localhost/', { headers: { authorization } }))
    expect(response.status).toBe(503)
    expect(log.mock.calls.flat().join(' ')).not.toContain('startsWith')
  })
})

test('F8: on Bun, a request that no socket brought has the address that it was given', () => {
  const server = { port: 80, requestIP: () => null }
  const request = new Request('http://localhost/')
  expect(bunPeerOf(request, server, { peer: '192.0.2.1' })).toBe('192.0.2.1')
  expect(bunPeerOf(request, server, {})).toBeUndefined()
  expect(bunPeerOf(request, {}, server)).toBeUndefined()
  expect(bunPeerOf(request, {}, { requestIP: () => null })).toBe('')
})

describe('found by a reader of markup', () => {
  /** Markup with three sources, of which each notes that it was cancelled. */
  const page = () => {
    const cancelled: string[] = []
    const source = (name: string) =>
      new ReadableStream<string>(
        {
          pull: (controller) => controller.enqueue(name),
          cancel: () => void cancelled.push(name),
        },
        { highWaterMark: 0 },
      )
    const markup = html`<p>${source('a')}</p>${html`<b>${source('b')}</b>`}${[source('c')]}`
    return { cancelled, markup }
  }

  test('F7: a page that is not read cancels the streams in it', async () => {
    const { cancelled, markup } = page()
    await (markup.toBody() as ReadableStream).cancel()
    expect(cancelled).toEqual(['a', 'b', 'c'])
  })

  test('F7: a page that is abandoned half-way cancels all sources, including those that were not started', async () => {
    const { cancelled, markup } = page()
    const reader = (markup.toBody() as ReadableStream).getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    expect(cancelled.sort()).toEqual(['a', 'b', 'c'])
  })

  test('F7: a page of which a part fails cancels the parts behind it', async () => {
    const { cancelled, markup } = page()
    const whole = html`${Promise.reject(new Error('broken'))}${markup}`
    await expect(whole.text()).rejects.toThrow('broken')
    expect(cancelled).toEqual(['a', 'b', 'c'])
  })

  test('F7: a source that fails when it is ended is not an unhandled rejection', async () => {
    const bad = {
      [Symbol.asyncIterator]: () => {
        throw new Error('broken')
      },
    }
    const unhandled = vi.fn()
    process.once('unhandledRejection', unhandled)
    const cancelled = (html`${Promise.resolve('')}${bad}`.toBody() as ReadableStream).cancel()
    await expect(cancelled).resolves.toBeUndefined()
    await new Promise(setImmediate)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
