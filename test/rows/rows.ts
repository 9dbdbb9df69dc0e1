import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { json, text } from 'sluice'
import { accepts, acceptsEncodings, acceptsLanguages } from 'sluice/accepts'
import { contextStorage, currentContext } from 'sluice/context-storage'
import { health } from 'sluice/health'
import { html, raw } from 'sluice/html'
import { Fragment, jsx, jsxs } from 'sluice/jsx-runtime'
import { signJwt } from 'sluice/jwt'
import { bodyLimit } from 'sluice/middleware/body-limit'
import { cache } from 'sluice/middleware/cache'
import { cacheControl } from 'sluice/middleware/cache-control'
import { every, except, some } from 'sluice/middleware/combine'
import { etag } from 'sluice/middleware/etag'
import { idempotency } from 'sluice/middleware/idempotency'
import { ipRestriction } from 'sluice/middleware/ip-restriction'
import { jwt } from 'sluice/middleware/jwt'
import { language } from 'sluice/middleware/language'
import { loadShedding } from 'sluice/middleware/load-shedding'
import { jsonFormat, logger } from 'sluice/middleware/logger'
import { methodOverride } from 'sluice/middleware/method-override'
import { prettyJson } from 'sluice/middleware/pretty-json'
import { requestId } from 'sluice/middleware/request-id'
import { requireScopes } from 'sluice/middleware/require-scopes'
import { measure, serverTiming } from 'sluice/middleware/server-timing'
import { timeout } from 'sluice/middleware/timeout'
import { trailingSlash } from 'sluice/middleware/trailing-slash'
import { webhook } from 'sluice/middleware/webhook'
import { proxy } from 'sluice/proxy'
import { readJson } from 'sluice/read/json'
import { html as respondHtml } from 'sluice/respond/html'
import { redirectBack } from 'sluice/respond/redirect-back'
import { signalOf } from 'sluice/signal'
import { memoryIdempotency } from 'sluice/stores/memory-idempotency'
import type { Build } from './doors.ts'

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const sent = (headers: Record<string, string>): RequestInit => ({ headers })
const post = (body: BodyInit | null, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers,
})

const SECRET = 'thirty-two bytes from a generator'

/** What each row of BEYOND §3 promises first, on the runtime that this runs on. More is in the test of each. */
export const rows: Readonly<Record<string, (build: Build) => Promise<void>>> = {
  async 'MX1: etag answers 304 to who has the bytes, and 412 to who expects others'(build) {
    const ask = build([etag()], [['/', () => text('hello')]])
    const tag = (await ask('/')).headers.get('etag')!
    assert.match(tag, /^"[\w-]{22,}"$/)
    assert.equal((await ask('/', sent({ 'if-none-match': tag }))).status, 304)
    assert.equal((await ask('/', sent({ 'if-match': '"other"' }))).status, 412)
  },

  async 'MX2: cache lets one of a hundred make the answer, tells its age, and forgets by tag'(build) {
    let made = 0
    let now = 1_800_000_000_000
    const kept = cache({ now: () => now, maxAge: 10, tags: ['list'] })
    const ask = build(
      [cacheControl({ public: true, maxAge: 10 }), kept],
      [
        [
          '/',
          async () => {
            await later(5)
            return json(++made)
          },
        ],
      ],
    )
    const all = await Promise.all(Array.from({ length: 100 }, async () => (await ask('/')).text()))
    assert.deepEqual([...new Set(all)], ['1'])
    now += 3_000
    const hit = await ask('/')
    assert.deepEqual(
      [hit.headers.get('age'), hit.headers.get('cache-control'), await hit.text()],
      ['3', 'public, max-age=10', '1'],
    )
    await kept.purge('list')
    assert.equal(await (await ask('/')).text(), '2')
  },

  async 'MX2: a stale answer is sent at once, and its refresh asks for the whole response'(build) {
    let now = 1_800_000_000_000
    const asked: string[] = []
    const kept = cache({ now: () => now, maxAge: 10, staleWhileRevalidate: 60 })
    const ask = build(
      [kept],
      [
        [
          '/',
          ({ request }) => {
            asked.push([...request.headers.keys()].filter((name) => name.startsWith('if-')).join())
            return json(asked.length)
          },
        ],
      ],
    )
    await (await ask('/')).text()
    now += 15_000
    const conditions = sent({ 'if-match': '"a"', 'if-modified-since': 'x', 'if-none-match': '"a"', 'if-range': '"a"' })
    assert.equal(await (await ask('/', conditions)).text(), '1')
    for (let waited = 0; waited < 500 && asked.length < 2; waited++) await later(10)
    assert.deepEqual(asked, ['', ''])
  },

  async 'MX3: jwt lets the right token in, refuses others, and requireScopes asks for scopes'(build) {
    const ask = build(
      [jwt({ algorithms: ['HS256'], secret: SECRET, audience: 'shop' })],
      [
        ['/', (ctx) => text(ctx.state.jwt.sub)],
        ['/write', requireScopes('write'), () => text('written')],
      ],
    )
    const sign = (audience: string): Promise<string> =>
      signJwt({ scope: 'read' }, { secret: SECRET, subject: 'ada', audience, expiresIn: 60 })
    const bearer = (token: string): RequestInit => sent({ authorization: `Bearer ${token}` })
    assert.equal(await (await ask('/', bearer(await sign('shop')))).text(), 'ada')
    assert.equal((await ask('/write', bearer(await sign('shop')))).status, 403)
    const wrong = await ask('/', bearer(await sign('other')))
    assert.equal(wrong.status, 401)
    assert.match(wrong.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
  },

  async 'MX4: timeout answers 503 and aborts the signal; a timeout of the route stands in its place'(build) {
    let aborted = false
    const slow = async (ctx: any): Promise<Response> => {
      signalOf(ctx).addEventListener('abort', () => {
        aborted = true
      })
      await later(100)
      return text('late')
    }
    const ask = build(
      [timeout(20)],
      [
        ['/', slow],
        ['/long', timeout(10_000), slow],
      ],
    )
    assert.equal((await ask('/')).status, 503)
    assert.equal(aborted, true)
    assert.equal(await (await ask('/long')).text(), 'late')
  },

  async 'MX5, OP7: a line of the log has the id of the answer, the route and the causes, and no secret'(build) {
    const lines: string[] = []
    const format = jsonFormat({ fields: (ctx) => ({ headers: ctx.request.headers }) })
    const ask = build(
      [logger({ log: (line) => void lines.push(line), format }), requestId({ trust: true })],
      [
        [
          '/users/:id',
          () => {
            throw new Error('outer', { cause: new Error('inner') })
          },
        ],
      ],
    )
    const response = await ask('/users/7?token=hidden', sent({ 'x-request-id': 'job-17', authorization: 'hidden' }))
    const { requestId: id, route, status, error, headers } = JSON.parse(lines[0]!)
    assert.deepEqual([response.headers.get('x-request-id'), id], ['job-17', 'job-17'])
    assert.deepEqual([route, status, error.message, error.cause.message], ['/users/:id', 500, 'outer', 'inner'])
    assert.equal(headers.authorization, '[redacted]')
    assert.equal(lines[0]!.includes('hidden'), false)
  },

  async 'MX6: bodyLimit refuses by Content-Length, and while the body is read'(build) {
    const ask = build([bodyLimit(10)], [['/', async (ctx) => text(await ctx.request.text())]])
    const stream = () => new Response('eleven byte').body
    const statuses = []
    for (const init of [post('ten bytes!'), post('eleven byte'), { ...post(stream()), duplex: 'half' } as RequestInit])
      statuses.push((await ask('/', init)).status)
    assert.deepEqual(statuses, [200, 413, 413])
  },

  async 'MX7: ipRestriction takes addresses and ranges of both kinds'(build) {
    const ask = build(
      [ipRestriction({ allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.6.6.6'], trustProxy: 1 })],
      [['/', () => text('')]],
    )
    const statuses = []
    for (const address of ['10.1.1.1', '::ffff:10.1.1.1', '10.6.6.6', '2001:db8::1', '2001:db9::1', 'x'])
      statuses.push((await ask('/', sent({ 'x-forwarded-for': address }))).status)
    assert.deepEqual(statuses, [200, 200, 403, 200, 403, 403])
  },

  async 'MX8: trailingSlash, methodOverride, prettyJson and serverTiming'(build) {
    const ask = build(
      [trailingSlash('trim'), methodOverride({ header: 'x-method' }), prettyJson(), serverTiming()],
      [['/', async (ctx) => json({ method: ctx.method, rows: await measure(ctx, 'db', async () => 1) })]],
    )
    const away = await ask('/a/', { method: 'POST' })
    assert.deepEqual([away.status, away.headers.get('location')], [308, '/a'])
    const response = await ask('/?pretty', post('', { 'x-method': 'DELETE' }))
    assert.equal((await response.text()).trim(), '{\n  "method": "DELETE",\n  "rows": 1\n}')
    assert.match(response.headers.get('server-timing') ?? '', /^db;dur=.*total;dur=/)
  },

  async 'MX9: language looks a range up, and says what it found'(build) {
    const ask = build([language({ supported: ['en', 'de'] })], [['/', (ctx) => text(ctx.state.language)]])
    const response = await ask('/', sent({ 'accept-language': 'ja, de-AT;q=0.8, en;q=0.5' }))
    assert.deepEqual([await response.text(), response.headers.get('content-language')], ['de', 'de'])
  },

  async 'MX10: currentContext is that of the request, after an await too'(build) {
    const ask = build(
      [contextStorage()],
      [
        [
          '/:id',
          async () => {
            await later(1)
            return text(`${(currentContext() as any).params.id}`)
          },
        ],
      ],
    )
    const both = await Promise.all(['a', 'b'].map(async (id) => (await ask(`/${id}`)).text()))
    assert.deepEqual(both, ['a', 'b'])
  },

  async 'MX11: proxy sends path, body and its own fields on, and answers 502 for a target that is not there'(build) {
    const seen: [string, string, string | null][] = []
    const send = async (request: Request): Promise<Response> => {
      seen.push([request.url, await request.text(), request.headers.get('x-request-id')])
      return new Response('behind', { headers: { connection: 'x-hop', 'x-hop': '1' } })
    }
    const lost = async (): Promise<Response> => {
      throw new TypeError('refused')
    }
    const headers = (ctx: any) => ({ 'x-request-id': ctx.state.requestId })
    const ask = build(
      [requestId({ create: () => 'ours' })],
      [
        ['/api/*', proxy('http://behind.example/base', { prefix: '/api', fetch: send, headers })],
        ['/lost', proxy('http://behind.example', { fetch: lost })],
      ],
    )
    const response = await ask('/api/a?b=1', post('sent', { 'x-request-id': 'theirs' }))
    assert.deepEqual([await response.text(), response.headers.get('x-hop')], ['behind', null])
    assert.deepEqual(seen, [['http://behind.example/base/a?b=1', 'sent', 'ours']])
    assert.equal((await ask('/api/..%2fa')).status, 400)
    assert.equal((await ask('/lost')).status, 502)
  },

  async 'MX12: loadShedding refuses what is too much'(build) {
    const slow = async (): Promise<Response> => {
      await later(20)
      return text('')
    }
    const ask = build([loadShedding({ maxConcurrent: 1 })], [['/', slow]])
    const [first, second] = await Promise.all([ask('/'), ask('/')])
    assert.deepEqual([first.status, second.status, second.headers.get('retry-after')], [200, 503, '10'])
  },

  async 'MX13: idempotency answers a repetition as the first time, and refuses another request with its key'(build) {
    let paid = 0
    const ask = build([idempotency({ scope: () => '', store: memoryIdempotency() })], [['/', () => json(++paid, 201)]])
    const answers = []
    for (const body of ['{}', '{}', '{"a":1}']) {
      const response = await ask('/', post(body, { 'idempotency-key': 'k', 'content-type': 'application/json' }))
      answers.push([response.status, response.status === 201 ? await response.text() : ''])
    }
    assert.deepEqual(answers, [
      [201, '1'],
      [201, '1'],
      [422, ''],
    ])
  },

  async 'MX14: webhook takes what is signed, once'(build) {
    const key = Buffer.from('a key of 24 bytes or more')
    const guard = webhook({ scheme: 'standard', secret: `whsec_${key.toString('base64')}`, store: memoryIdempotency() })
    const ask = build([guard], [['/', async (ctx) => json(await readJson(ctx))]])
    const message = (id: string, age: number): Promise<Response> => {
      const time = `${Math.floor(Date.now() / 1000) - age}`
      const signature = createHmac('sha256', key).update(`${id}.${time}.{"a":1}`).digest('base64')
      return ask(
        '/',
        post('{"a":1}', { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }),
      )
    }
    assert.equal(await (await message('1', 0)).text(), '{"a":1}')
    assert.match(await (await message('1', 0)).text(), /duplicate/)
    assert.equal((await message('2', 400)).status, 401)
  },

  async 'MX16: html escapes by place, and streams what comes later'(build) {
    const markup = () =>
      html`<a title="${'"'}" href="${'javascript:1'}">${'<'}${raw('<br>')}${Promise.resolve('late')}</a>`
    const ask = build([], [['/', () => respondHtml(markup())]])
    assert.equal(await (await ask('/')).text(), '<a title="&quot;" href="about:invalid">&lt;<br>late</a>')
  },

  async 'MX16: JSX escapes by place, and waits for components'(build) {
    const Late = async ({ name }: { name: string }) => jsx('b', { children: name })
    const page = () =>
      jsxs(Fragment, {
        children: [jsx('a', { href: 'javascript:1', children: '<' }), jsx(Late as never, { name: '&' })],
      })
    const ask = build([], [['/', () => respondHtml(page())]])
    assert.equal(await (await ask('/')).text(), '<a href="about:invalid">&lt;</a><b>&amp;</b>')
  },

  async 'MX17: accepts chooses by weight and exactness'(build) {
    const choices = (ctx: any): Response =>
      json([accepts(ctx, ['json', 'html']), acceptsEncodings(ctx, ['br', 'gzip']), acceptsLanguages(ctx, ['en', 'de'])])
    const ask = build([], [['/', choices]])
    const headers = { accept: 'text/*;q=0.9, */*;q=0.1', 'accept-encoding': 'gzip, br;q=0', 'accept-language': 'de' }
    assert.deepEqual(await (await ask('/', sent(headers))).json(), ['html', 'gzip', 'de'])
  },

  async 'MX18: a handler that rejects after the answer is logged once, and the next request is answered'(build) {
    const logged: unknown[] = []
    const { error } = console
    console.error = (...what) => void logged.push(what)
    const early = (_ctx: unknown, next: () => unknown): Response => {
      next()
      return text('early')
    }
    const fails = async (): Promise<Response> => {
      await later(1)
      throw new Error('too late')
    }
    const ask = build([early], [['/', fails]])
    assert.equal(await (await ask('/')).text(), 'early')
    await later(20)
    assert.equal(logged.length, 1)
    assert.equal(await (await ask('/')).text(), 'early')
    await later(20)
    console.error = error
  },

  async 'MX19: some, every and except'(build) {
    const deny = (): Response => text('no', 401)
    const keyed = (ctx: any, next: any) => (ctx.header('x-key') ? next() : text('no', 403))
    const ask = build([except('/public/*', some(deny, every(keyed, keyed)))], [['/*', () => text('in')]])
    const statuses = [await ask('/'), await ask('/', sent({ 'x-key': '1' })), await ask('/public/a')].map(
      (one) => one.status,
    )
    assert.deepEqual(statuses, [403, 200, 200])
  },

  async 'OP1: health names what fails, in its time, and readiness fails as soon as a drain begins'(build) {
    const drain = new AbortController()
    const checks = { queue: () => true, database: { check: () => new Promise(() => {}), timeoutMs: 10 } }
    const ask = build([], [], health({ ready: checks, draining: drain.signal }))
    assert.equal((await ask('/livez')).status, 200)
    const failed = await ask('/readyz')
    const body = (await failed.json()) as { code: string; checks: Record<string, { status: string }> }
    assert.deepEqual([failed.status, body.code], [503, 'not_ready'])
    assert.deepEqual([body.checks.queue?.status, body.checks.database?.status], ['ok', 'timed out'])
    drain.abort()
    assert.equal(((await (await ask('/readyz')).json()) as { code: string }).code, 'draining')
    assert.equal((await ask('/livez')).status, 200)
  },

  async 'routes: parameters that may be absent, patterns, and redirectBack to the own origin'(build) {
    const ask = build(
      [],
      [
        ['/a/:id?', (ctx) => json(ctx.params)],
        ['/n/:id{[0-9]+}', (ctx) => json(ctx.params)],
        ['/back', (ctx) => redirectBack(ctx, '/home')],
      ],
    )
    assert.deepEqual([await (await ask('/a')).text(), await (await ask('/n/7')).text()], ['{}', '{"id":"7"}'])
    assert.equal((await ask('/n/x')).status, 404)
    const back = async (referer: string) => (await ask('/back', post('', { referer }))).headers.get('location')
    assert.deepEqual([await back('http://localhost/x?y'), await back('http://evil.example/x')], ['/x?y', '/home'])
  },
}
