import { afterEach, describe, expect, test, vi } from 'vitest'
import { toLambdaHandler, toLambdaStream } from '../../src/adapter/aws-lambda.ts'
import { type FastlyEvent, toFastly } from '../../src/adapter/fastly.ts'
import { toNetlify } from '../../src/adapter/netlify.ts'
import { toVercel } from '../../src/adapter/vercel.ts'
import { createApp } from '../../src/app.ts'
import { clientAddress } from '../../src/client-address.ts'
import { methodNotAllowed } from '../../src/pipe/method-not-allowed.ts'
import { peerOf as onBun } from '../../src/runtime/bun/request.ts'
import { peerOf as onDeno } from '../../src/runtime/deno/request.ts'
import { peerOf as onEdge } from '../../src/runtime/edge/request.ts'
import { peerOf as onNode } from '../../src/runtime/node/request.ts'
import { encode, formats, recorded, through } from './events.ts'
import { awslambda, invoke } from './lambda-runtime.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Ask = (request: Request) => Promise<Response>
type App = Parameters<typeof toVercel>[0]

/** What a platform keeps: promises of `waitUntil`. */
const kept: Promise<unknown>[] = []
const waitUntil = (promise: Promise<unknown>) => void kept.push(promise)

const viaVercel = (app: App, fields = recorded('vercel').headers): Ask => {
  const { fetch } = toVercel(app)
  return (request) => {
    const sent = new Request(request)
    for (const [name, value] of Object.entries(fields)) sent.headers.set(name, value as string)
    return fetch(sent, { waitUntil })
  }
}
const viaNetlify = (app: App): Ask => {
  const handler = toNetlify(app)
  return (request) => handler(request, { ...recorded('netlify'), waitUntil })
}
const viaFastly = (app: App, options = {}): Ask => {
  const listener = toFastly(app, options)
  return async (request) => {
    const answers: (Response | Promise<Response>)[] = []
    listener({ ...recorded('fastly'), request, waitUntil, respondWith: (one: Response) => void answers.push(one) })
    // At once: Fastly takes no answer that comes after the listener has returned
    expect(answers).toHaveLength(1)
    return answers[0]!
  }
}
const viaStream = (app: App): Ask => {
  vi.stubGlobal('awslambda', awslambda)
  const handler = toLambdaStream(app)
  return async (request) => {
    const { head, body } = await invoke(handler, (await encode(request, 'v2')) as never)
    const headers = new Headers(head.headers)
    for (const cookie of head.cookies ?? []) headers.append('set-cookie', cookie)
    return new Response(body.length ? new Uint8Array(body) : null, { status: head.statusCode, headers })
  }
}

const adapters: [string, (app: App) => Ask][] = [
  ...formats.map((format): [string, (app: App) => Ask] => [
    `lambda ${format}`,
    (app) => through(toLambdaHandler(app), format),
  ]),
  ['lambda, streamed', viaStream],
  ['vercel', viaVercel],
  ['netlify', viaNetlify],
  ['fastly', viaFastly],
]

describe.each(adapters)('OP5: an application answers through %s as through fetch', (name, via) => {
  const app = createApp({ methodNotAllowed })
    .get('/users/:id', (ctx) => ctx.json({ id: ctx.params.id, tags: ctx.query.getAll('tag') }))
    .post('/json', async (ctx) => ctx.json({ got: await ctx.json() }, 201))
    .post('/bytes', async (ctx) => new Response(await ctx.arrayBuffer()))
    .post('/form', async (ctx) => ctx.json([...(await ctx.formData()).keys()]))
    .get('/cookie', (ctx) => {
      const headers = new Headers({ 'x-got': ctx.header('cookie') ?? '' })
      for (const cookie of ['a=1; Path=/', 'b=2; HttpOnly']) headers.append('set-cookie', cookie)
      return new Response('é', { headers })
    })
    .get('/moved', (ctx) => ctx.redirect('/users/1'))
    .get('/empty', () => new Response(null, { status: 204 }))
    .get('/throw', () => {
      throw new Error('secret')
    })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array([0, 255, 128])]), 'a.bin')
  const url = (path: string) => `https://h.example${path}`
  const binary = new Uint8Array([0, 255, 254, 128, 10])

  test.each([
    ['a parameter and the query', () => new Request(url('/users/a%20b?tag=x&x=%C3%A9'))],
    ['JSON', () => new Request(url('/json'), { method: 'POST', body: '{"a":"é"}' })],
    ['bytes', () => new Request(url('/bytes'), { method: 'POST', body: binary })],
    ['a form with a file', () => new Request(url('/form'), { method: 'POST', body: form })],
    ['cookies', () => new Request(url('/cookie'), { headers: { cookie: 'c=3; d=4' } })],
    ['a redirect', () => new Request(url('/moved'))],
    ['no body', () => new Request(url('/empty'))],
    ['HEAD', () => new Request(url('/users/1'), { method: 'HEAD' })],
    ['404', () => new Request(url('/none'))],
    ['405', () => new Request(url('/json'))],
    ['a body that is not JSON', () => new Request(url('/json'), { method: 'POST', body: '{' })],
    ['an error', () => new Request(url('/throw'))],
  ])('%s', async (_, request) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const expected = await app.fetch(request())
    const got = await via(app)(request())
    expect({ status: got.status, headers: [...got.headers] }).toEqual({
      status: expected.status,
      headers: [...expected.headers],
    })
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(new Uint8Array(await expected.arrayBuffer()))
  })

  test('a plain function that throws is a 500 that says nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const ask = via(() => {
      throw new Error('secret')
    })
    const response = await ask(new Request(url('/')))
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 500,
      text: '{"error":"Internal Server Error"}',
    })
  })

  test('promises of waitUntil are waited for', async () => {
    let done = false
    const later = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
      done = true
    })
    const waits = createApp().get('/', (ctx) => {
      ctx.waitUntil(later)
      return ctx.text('')
    })
    await via(waits)(new Request(url('/')))
    if (!name.startsWith('lambda')) await Promise.all(kept.splice(0))
    expect(done).toBe(true)
  })

  test.each([undefined, null, {}, 'app'])('%j is no application', (bad) => {
    expect(() => via(bad as never)).toThrow(/^to\w+: app: expected an application or a function/)
  })
})

describe('OP5: what platforms say of a request', () => {
  const app = createApp().get('/*', (ctx) => ctx.text(`${clientAddress(ctx)}`))
  const forged = new Request('https://h.example/', {
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'x-nf-client-connection-ip': '203.0.113.9',
      'fastly-client-ip': '203.0.113.9',
    },
  })
  test.each([
    ['vercel', viaVercel(app), '192.0.2.7'],
    ['vercel without its field', viaVercel(app, {}), 'undefined'],
    ['vercel with a field that is no address', viaVercel(app, { 'x-real-ip': '1.2.3.4, 5.6.7.8' }), 'undefined'],
    ['netlify', viaNetlify(app), '2001:db8::7'],
    ['fastly', viaFastly(app), '192.0.2.7'],
  ])('OP5: the address of the client: %s', async (_, ask, address) => {
    expect(await (await ask(forged)).text()).toBe(address)
  })

  test.each([
    ['Node', onNode],
    ['Bun', onBun],
    ['Deno', onDeno],
    ['the edge', onEdge],
  ])('OP5: %s takes the address from the adapter where there is no socket', (_, peerOf) => {
    expect(peerOf(forged, {}, { peer: '192.0.2.7' })).toBe('192.0.2.7')
    expect(peerOf(forged, {}, {})).toBeUndefined()
    expect(peerOf(forged, undefined, undefined)).toBeUndefined()
  })

  test('OP5: Cloudflare says the address itself', () => {
    const marked = Object.assign(new Request('https://h.example/'), { cf: { clientIp: '192.0.2.1:80' } })
    expect(onEdge(marked, {}, { peer: '192.0.2.7' })).toBe('192.0.2.1')
  })

  test('OP5: ctx.env holds what the platform hands over', async () => {
    const shown = createApp().get('/', (ctx) =>
      ctx.json({
        city: ctx.env.context?.geo?.city ?? null,
        address: ctx.env.event?.server?.address ?? null,
        waitUntil: typeof ctx.env.context?.waitUntil,
      }),
    )
    const of = async (ask: Ask) => (await ask(new Request('https://h.example/'))).json()
    expect(await of(viaVercel(shown))).toEqual({ city: null, address: null, waitUntil: 'function' })
    expect(await of(viaNetlify(shown))).toEqual({ city: 'Lisbon', address: null, waitUntil: 'function' })
    expect(await of(viaFastly(shown))).toEqual({ city: null, address: '192.0.2.80', waitUntil: 'undefined' })
  })
})

describe('OP5: vercel', () => {
  test('OP5: every method has its name', async () => {
    const handlers = toVercel(createApp().all('/', (ctx) => ctx.text(ctx.method)))
    expect(Object.keys(handlers)).toEqual(['fetch', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect(await (await handlers.PATCH(new Request('https://h.example/', { method: 'PATCH' }))).text()).toBe('PATCH')
  })

  test('OP5: without a context, waitUntil is the one that @vercel/functions finds', async () => {
    vi.stubGlobal(Symbol.for('@vercel/request-context') as never, { get: () => ({ waitUntil }) })
    const app = createApp().get('/', (ctx) => {
      ctx.waitUntil(Promise.resolve('kept'))
      return ctx.text('')
    })
    await toVercel(app).GET(new Request('https://h.example/'))
    expect(await Promise.all(kept.splice(0))).toEqual(['kept'])
  })

  test('OP5: outside of Vercel, waitUntil is left out and the answer is the same', async () => {
    const app = createApp().get('/', (ctx) => {
      ctx.waitUntil(Promise.resolve())
      return ctx.text('answer')
    })
    expect(await (await toVercel(app).fetch(new Request('https://h.example/'))).text()).toBe('answer')
  })
})

describe('OP5: fastly', () => {
  const app = createApp().get('/', (ctx) => ctx.text(`${ctx.env.secret}`))

  test('OP5: env opens stores for each event', async () => {
    const events: FastlyEvent[] = []
    const env = (event: FastlyEvent) => ({ secret: events.push(event) })
    const ask = viaFastly(app, { env })
    expect(events).toEqual([])
    expect(await (await ask(new Request('https://h.example/'))).text()).toBe('1')
  })

  test('OP5: an env that throws is a 500', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const env = () => {
      throw new Error('no such store')
    }
    expect((await viaFastly(app, { env })(new Request('https://h.example/'))).status).toBe(500)
  })

  test('OP5: bad options are refused when it is made', () => {
    expect(() => toFastly(app, { evn: () => ({}) } as never)).toThrow(
      'toFastly: evn: unknown option, did you mean "env"?',
    )
    expect(() => toFastly(app, { env: {} } as never)).toThrow('toFastly: env: expected a function')
  })
})
