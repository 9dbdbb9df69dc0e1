import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { followBody } from '../../generators/dev/inspector/bodies.ts'
import { createInspector } from '../../generators/dev/inspector/inspector.ts'
import { freePort } from '../../generators/dev/port.ts'
import { watchQueries } from '../../generators/dev/queries.ts'
import { isSecretName } from '../../generators/dev/secrets.ts'
import { closeDatabase, createDatabase, setDatabase, transaction } from '../../src/database.ts'
import { createApp, HttpError, json } from '../../src/index.ts'
import { helmet } from '../../src/middleware/helmet.ts'
import { inspected } from './inspector.ts'

const here = () => '127.0.0.1'

/** An application under `sluice dev`, and what asks it. */
const start = (settings: Parameters<typeof inspected>[1] = {}, app = shop()) => {
  inspected(app, { addressOf: here, ...settings })
  const ask = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const request = new Request(`http://localhost:3000${path}`, {
      ...init,
      headers: { host: 'localhost:3000', ...headers },
    })
    const response = await app.fetch(request)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { app, ask }
}

const shop = () => {
  const app = createApp({
    config: {
      app: { name: '<i>shop</i>', apiKey: 'hunter1', nested: { password: { old: 'hunter2' } } },
      url: 'postgres://root:hunter3@localhost/x',
      dsn: 'Server=x;Password=hunter4;Port=1',
    },
  })
  app.container.singleton('mailer', () => {
    throw new Error('it was made')
  })
  app.use(helmet())
  app.use('/admin/*', function guard(_, next) {
    return next()
  })
  app.use(async function clock(_, next) {
    return next()
  })
  app.get(
    '/users/:id',
    function audit(_, next) {
      return next()
    },
    function showUser(ctx) {
      return json({ id: ctx.params.id })
    },
  )
  app.get('/admin/x', () => json({}))
  app.get('/boom', () => {
    throw new TypeError('<b>broken</b>')
  })
  app.get('/no', () => {
    throw new HttpError(409, 'Taken')
  })
  return app
}

describe('FX1: who may look', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['a browser at this machine', { 'sec-fetch-site': 'none' }, true],
    ['a page of this origin', { 'sec-fetch-site': 'same-origin' }, true],
    ['no browser', {}, true],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, false],
    ['a page on another port of this machine', { 'sec-fetch-site': 'same-site' }, false],
    ['an old browser on a page of another site', { origin: 'https://evil.example' }, false],
    ['a name that was pointed here', { host: 'evil.example' }, false],
    ['a name that looks like this machine', { host: 'localhost.evil.example:3000' }, false],
    ['a proxy for another host', { 'x-forwarded-host': 'evil.example' }, false],
    ['a tunnel', { 'x-forwarded-for': '203.0.113.7' }, false],
    ['a proxy', { forwarded: 'for=203.0.113.7' }, false],
  ]
  test.each(cases)('%s: %s → %s', async (_, headers, gets) => {
    const { ask } = start()
    for (const path of ['/__sluice', '/__sluice/routes', '/__sluice/application', '/__sluice/last']) {
      const { status, text } = await ask(path, headers)
      expect(status).toBe(gets ? 200 : 404)
      // Whoever may not look is told what the application says of any path that it does not have
      if (!gets) expect(JSON.parse(text)).toEqual({ error: 'Not Found' })
    }
  })

  test.each([
    ['192.168.1.20', 404],
    ['203.0.113.7', 404],
    [undefined, 404],
    ['', 404],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
  ])('a peer at %s: %i, whatever it says of itself', async (address, status) => {
    const { ask } = start({ addressOf: () => address })
    expect((await ask('/__sluice')).status).toBe(status)
  })

  test.each(['production', 'test', ''])('nobody when NODE_ENV is "%s", which .env may set late', async (NODE_ENV) => {
    const env: Record<string, string> = { NODE_ENV: 'development' }
    const { ask } = start({ env })
    expect((await ask('/__sluice')).status).toBe(200)
    env.NODE_ENV = NODE_ENV
    expect((await ask('/__sluice')).status).toBe(404)
  })

  test('the application page says how long each value of the container lives', async () => {
    const { app, ask } = start()
    app.container.bind('draft', () => ({}))
    const { text } = await ask('/__sluice/application')
    expect(text).toContain('<td>mailer<td class="soft">one value')
    expect(text).toContain('<td>draft<td class="soft">created each time')
  })

  test('other paths that begin alike are those of the application', async () => {
    const { ask } = start()
    // The inspector answers 404 too, with a page of its own
    expect(await ask('/__sluicex')).toMatchObject({ status: 404, text: expect.not.stringContaining('Page not found') })
    expect((await ask('/__sluice/nothing')).text).toContain('Page not found')
  })
})

describe('FX1: what is shown', () => {
  test('only the last hundred requests, with status, time and error', async () => {
    const { ask } = start()
    for (let id = 0; id < 130; id++) await ask(`/users/${id}`)
    await ask('/boom')
    const { text, headers } = await ask('/__sluice')
    expect(text.match(/<a href="\/__sluice\/requests\/\d+">/g)).toHaveLength(100)
    expect(text).toContain('/users/129')
    expect(text).not.toContain('/users/30<')
    expect(text).toContain('TypeError')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('one request: its way through the steps, those of other paths left out; all text is escaped', async () => {
    const { ask } = start()
    await ask('/users/7?x=<script>&token=hunter2', {
      authorization: 'hunter1',
      referer: 'http://localhost/?api_key=hunter3&b=1',
      'x-note': '"><script>',
    })
    const { text } = await ask('/__sluice/requests/1')
    const steps = [...text.matchAll(/<div class="d(\d)">([^<]*)</g)].map(([, depth, name]) => `${depth} ${name}`)
    expect(steps).toEqual([
      '0 middleware helmet',
      '1 middleware clock',
      '2 middleware audit',
      '3 handler of GET /users/:id',
    ])
    expect(text).not.toContain('hunter')
    expect(text).toContain('authorization')
    expect(text).not.toMatch(/<script(?! src="\/__sluice\/)/)
    await ask('/admin/x')
    expect((await ask('/__sluice/requests/2')).text).toContain('middleware guard /admin/*')
  })

  test('the time of a step is its own, without those inside of it', async () => {
    const app = createApp()
    const pause = () => new Promise((resolve) => setTimeout(resolve, 30))
    app.get(
      '/',
      async function around(_, next) {
        const response = await next()
        return response
      },
      async () => {
        await pause()
        return json({})
      },
    )
    const { ask } = start({}, app)
    await ask('/')
    const { text } = await ask('/__sluice/requests/1')
    const [around, handler] = [...text.matchAll(/<rect class="own"[^>]* width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    )
    expect(around).toBeLessThan(handler!)
  })

  test('an error with its step and stack; one that the application answers itself as well', async () => {
    const { ask } = start()
    await ask('/boom')
    await ask('/no')
    const { text } = await ask('/__sluice/requests/1')
    expect(text).toContain('&lt;b&gt;broken')
    expect(text).not.toContain('<b>broken')
    expect(text).toContain('thrown by the handler of GET /boom')
    expect(text).toMatch(/at .*dev-inspector\.test\.ts/)
    const other = (await ask('/__sluice/requests/2')).text
    expect(other).toContain('409')
    expect(other).toContain('Taken')
  })

  test.each([
    ['something without a text', Object.create(null)],
    ['nothing', undefined],
    ['an error of 10 MB', new Error('x'.repeat(10_000_000))],
  ])('%s may be thrown', async (_, thrown) => {
    const app = createApp()
    app.get('/', () => {
      throw thrown
    })
    const { ask } = start({}, app)
    await ask('/')
    const { status, text } = await ask('/__sluice/requests/1')
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(50_000)
  })

  test('a slow request is shown as running', async () => {
    const app = createApp()
    let finish = (): void => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    app.get('/slow', async () => {
      await gate
      return json({})
    })
    const { ask } = start({}, app)
    const before = (await ask('/__sluice/last')).text
    const slow = ask('/slow')
    expect((await ask('/__sluice')).text).toContain('running')
    const during = (await ask('/__sluice/last')).text
    finish()
    await slow
    const after = (await ask('/__sluice/last')).text
    expect(new Set([before, during, after]).size).toBe(3)
  })

  test('routes with what runs before them, and without the two steps of dev itself', async () => {
    const { text } = await start().ask('/__sluice/routes')
    expect(text).toContain('/users/:id')
    expect(text).toContain('showUser')
    expect(text).toContain('guard')
    expect(text).not.toContain('sluiceDev')
  })

  test.each([
    ['GET', '/users/7', ['helmet', 'clock', 'audit'], 'GET /users/:id', 'id = 7'],
    ['GET', '/admin/x', ['helmet', 'guard', 'clock'], 'GET /admin/x', ''],
    ['GET', '/admin/y', ['helmet', 'guard /admin/*', 'clock'], 'no route matches', ''],
    ['POST', '/users/7', ['helmet', 'clock', 'audit'], 'no route matches', ''],
  ])('the order for %s %s, without running any of it', async (method, path, names, end, params) => {
    const { text } = await start().ask(`/__sluice/routes?method=${method}&path=${encodeURIComponent(path)}`)
    const list = /<ol class="mono">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? ''
    expect([...list.matchAll(/<li>([^<]+)/g)].map(([, name]) => name!.trim())).toEqual(names)
    expect(list).toContain(end)
    expect(text).toContain(params)
  })

  test('the order below a base path, where patterns of middleware move along', async () => {
    const app = createApp({ basePath: '/api' })
    app.use('/admin/*', function guard(_, next) {
      return next()
    })
    app.get('/admin/x', () => json({}))
    const { ask } = start({}, app)
    const { text } = await ask('/__sluice/routes?path=/api/admin/x')
    expect(text).toContain('GET /api/admin/x')
    expect(text).toMatch(/<li>guard/)
    await ask('/api/admin/x')
    expect((await ask('/__sluice/requests/1')).text).toContain('middleware guard')
  })

  test('NE5: the lists, the order and the error page beside a base path have whole paths', async () => {
    const app = createApp({ basePath: '/api', onError: () => new Response(null, { status: 500 }) })
    app.get('/boom', () => {
      throw new TypeError('broken')
    })
    const { ask } = start({}, app)
    const { status, text } = await ask('/api/boom', { accept: 'text/html' })
    expect({ status, title: /<h1>(.*?)<\/h1>/.exec(text)?.[1], script: /src="(.*?)"/.exec(text)?.[1] }).toEqual({
      status: 500,
      title: 'TypeError: broken',
      script: '/__sluice/reload.js',
    })
    expect((await ask('/__sluice/reload.js')).status).toBe(200)
    expect((await ask('/__sluice')).text).toContain('>/api/boom<')
    expect((await ask('/__sluice/routes')).text).toContain('<td class="path">/api/boom')
    expect((await ask('/__sluice/routes?path=/boom')).text).toContain('no route matches')
  })

  test.each(['users', '//evil.example/x', 'http://evil.example', '<script>'])('"%s" is no path', async (path) => {
    const { status, text } = await start().ask(`/__sluice/routes?path=${encodeURIComponent(path)}`)
    expect(status).toBe(200)
    expect(text).toContain('must begin with one slash')
    expect(text).not.toContain('<script>')
  })

  test('names of the container, of which nothing is made, and the configuration without secrets', async () => {
    const { text } = await start().ask('/__sluice/application')
    expect(text).toContain('mailer')
    expect(text).toContain('&lt;i&gt;shop')
    for (const name of ['app.apiKey', 'app.nested.password', 'postgres://root:(hidden)@localhost/x'])
      expect(text).toContain(name)
    expect(text).not.toContain('hunter')
    expect(text).not.toContain('it was made')
  })
})

describe('FX1: nothing but its own is run or framed', () => {
  test('the policy', async () => {
    const { headers } = await start().ask('/__sluice')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('its own requests are not listed', async () => {
    const { ask } = start()
    await ask('/__sluice')
    await ask('/__sluice/routes')
    expect((await ask('/__sluice')).text).toContain('None yet')
  })

  test('a request for one of its paths that is not allowed is listed like any other request', async () => {
    const { ask } = start()
    await ask('/__sluice', { host: 'evil.example' })
    expect((await ask('/__sluice')).text).toContain('/__sluice/requests/1')
  })
})

describe('FX1: a request is sent again', () => {
  const served = async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.post('/orders', async (ctx) => {
      seen.push({ body: await ctx.json(), authorization: ctx.header('authorization'), host: ctx.header('host') })
      return json({ orders: seen.length }, 201)
    })
    app.post('/refused', () => json({ error: 'No' }, 401))
    app.get('/endless', () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1000)) })))
    const port = await freePort(24_000 + (process.pid % 1000), 'localhost')
    inspected(app, { port })
    const server = await app.listen({ port, hostname: 'localhost' })
    const base = `http://localhost:${port}`
    const send = (path: string, init?: RequestInit) => fetch(base + path, { ...init, redirect: 'manual' })
    return { seen, base, send, close: () => server.close() }
  }

  test('unchanged, once for each click, and its response is shown', async () => {
    const { seen, base, send, close } = await served()
    try {
      const init = {
        method: 'POST',
        body: '{"item":"<b>"}',
        headers: { 'content-type': 'application/json', authorization: 'a' },
      }
      await send('/orders', init)
      const again = await send('/__sluice/requests/1/repeat', { method: 'POST', headers: { origin: base } })
      expect(again.status).toBe(303)
      expect(seen).toHaveLength(2)
      expect(seen[1]).toEqual(seen[0])
      const page = await (await send(again.headers.get('location')!)).text()
      expect(page).toContain('repeats <a href="/__sluice/requests/1">')
      expect(page).toContain('&quot;orders&quot;: 2')
    } finally {
      await close()
    }
  })

  test('not for a request of another site, and not for a link', async () => {
    const { seen, send, close } = await served()
    try {
      await send('/orders', { method: 'POST', body: '{}' })
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
        expect((await send('/__sluice/requests/1/repeat', { method: 'POST', headers: headers as never })).status).toBe(
          404,
        )
      expect((await send('/__sluice/requests/1/repeat')).status).toBe(405)
      expect((await send('/__sluice/requests/99/repeat', { method: 'POST' })).status).toBe(409)
      expect(seen).toHaveLength(1)
    } finally {
      await close()
    }
  })

  test('a body that was not read, or is too large, is not kept', async () => {
    const { send, close } = await served()
    try {
      await send('/refused', { method: 'POST', body: 'unread' })
      await send('/refused', { method: 'POST', body: 'x'.repeat(70_000) })
      for (const id of [1, 2]) {
        expect((await send(`/__sluice/requests/${id}/repeat`, { method: 'POST' })).status).toBe(409)
        expect(await (await send(`/__sluice/requests/${id}`)).text()).toContain('cannot be sent again')
      }
    } finally {
      await close()
    }
  })

  test('an answer that never ends is left after its beginning', async () => {
    const { send, close } = await served()
    try {
      const first = await send('/endless')
      await first.body?.cancel()
      expect((await send('/__sluice/requests/1/repeat', { method: 'POST' })).status).toBe(303)
    } finally {
      await close()
    }
  })
})

describe('NE6: what a request brought, sent and asked for', () => {
  test.each([
    ['author', false],
    ['authority', false],
    ['secretary', false],
    ['key', false],
    ['primaryKey', false],
    ['Idempotency-Key', false],
    ['assessId', false],
    ['Authorization', true],
    ['x-api-key', true],
    ['APP_KEY', true],
    ['stripeKey', true],
    ['apikey', true],
    ['newPassword', true],
    ['PHPSESSID', true],
    ['clientsecret', true],
    ['set-cookie', true],
    ['refresh_token', true],
    ['userPin', true],
    ['a'.repeat(101), true],
  ])('the name %s suggests a secret: %s', (name, isSecret) => {
    expect(isSecretName(name)).toBe(isSecret)
  })

  const site = () =>
    createApp()
      .post('/users', async (ctx) => ctx.json({ author: 'ada', token: 'hunter2', ...(await ctx.json<object>()) }, 201))
      .get('/long', () => json('x'.repeat(70_000)))
      .get('/events', (ctx) => ctx.sse(async (send) => void (await send({ data: 'hunter5' }))))
      .get('/bytes', () => new Response(new Uint8Array(3), { headers: { 'content-type': 'image/png' } }))
      .get(
        '/form',
        () => new Response('a=1&pin=hunter3', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      )

  const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('bodies without secrets, and the client gets its own', async () => {
    const { ask } = start({}, site())
    const body = JSON.stringify({ name: '<b>', password: 'hunter1' })
    const sent = await ask('/users', { 'content-length': `${body.length}` }, { method: 'POST', body })
    expect(sent.text).toBe('{"author":"ada","token":"hunter2","name":"<b>","password":"hunter1"}')
    await settled()
    const { text } = await ask('/__sluice/requests/1')
    const shown = [...text.matchAll(/<h2>Response body<\/h2><div class="card"><pre>([^<]*)/g)].map(([, one]) => one)
    expect(shown).toEqual([
      '\n{\n  "author": "ada",\n  "token": "(hidden)",\n  "name": "<b>",\n  "password": "(hidden)"\n}'
        .replaceAll('"', '&quot;')
        .replaceAll('<b>', '&lt;b&gt;'),
    ])
    expect(text).not.toContain('hunter')
  })

  test.each([
    ['/long', '(too long)'],
    ['/form', 'a = 1\npin = (hidden)'],
    ['/events', 'data: hunter5\n\n'],
    ['/bytes', undefined],
  ])('of %s it shows %s', async (path, expected) => {
    const { ask } = start({}, site())
    await ask(path)
    await settled()
    const { text } = await ask('/__sluice/requests/1')
    expect(/<h2>Response body<\/h2><div class="card"><pre>\n?([^<]*)/.exec(text)?.[1]).toBe(expected)
  })

  test('its statements, with rows, and without parameters; also in a transaction, and one that fails', async () => {
    const db = createDatabase('sqlite::memory:')
    setDatabase(db)
    try {
      await sql`create table users (name text)`.execute(db)
      watchQueries(db)
      const app = createApp({ onError: () => new Response(null, { status: 500 }) })
        .get('/all', async (ctx) => {
          await transaction((inner) =>
            inner
              .insertInto('users')
              .values([{ name: 'hunter1' }, { name: 'b' }])
              .execute(),
          )
          return ctx.json(await db.selectFrom('users').selectAll().where('name', '!=', 'hunter9').execute())
        })
        .get('/none', (ctx) => ctx.text(''))
        .get('/wrong', async (ctx) => ctx.json(await sql`select x from users`.execute(db)))
      const { ask } = start({}, app)
      await Promise.all([ask('/all'), ask('/none')])
      await ask('/wrong')
      const rowsOf = async (id: number) =>
        [
          ...(await ask(`/__sluice/requests/${id}`)).text.matchAll(
            /<tr><td>((?:insert|select)[^<]*)\n<td class="number">(?:<span class="bad">)?(\w+)/g,
          ),
        ].map(([, statement, rows]) => [statement!.replaceAll('&quot;', '"').split('"')[0], rows])
      expect(await rowsOf(1)).toEqual([
        ['insert into ', '2'],
        ['select * from ', '2'],
      ])
      expect(await rowsOf(2)).toEqual([])
      expect(await rowsOf(3)).toEqual([['select x from users', 'failed']])
      expect((await ask('/__sluice/requests/1')).text).not.toContain('hunter9')
    } finally {
      await closeDatabase()
    }
  })

  test('a filter, and a button that clears the list for its own pages alone', async () => {
    const { ask } = start()
    await ask('/users/7')
    await ask('/no')
    const found = async (words: string) =>
      [...(await ask(`/__sluice?find=${encodeURIComponent(words)}`)).text.matchAll(/requests\/\d+">([^<]+)/g)].map(
        ([, path]) => path,
      )
    expect(await found('409')).toEqual(['/no'])
    expect(await found('get USERS')).toEqual(['/users/7'])
    expect(await found('httperror')).toEqual(['/no'])
    expect(await found('')).toEqual(['/no', '/users/7'])
    expect(await found('"><i>')).toEqual([])
    await ask('/__sluice/clear', { origin: 'https://evil.example' }, { method: 'POST' })
    expect(await found('no')).toEqual(['/no'])
    const cleared = await ask('/__sluice/clear', { origin: 'http://localhost:3000' }, { method: 'POST' })
    expect({ status: cleared.status, to: cleared.headers.get('location') }).toEqual({ status: 303, to: '/__sluice' })
    expect((await ask('/__sluice')).text).toContain('None yet')
  })
})

describe('FX1, NE6: a stream over a socket', () => {
  const streams = async () => {
    let next = (_text: string): void => {}
    const cancelled = vi.fn()
    const part = new TextEncoder().encode('x'.repeat(20_000))
    const app = createApp()
      .get('/events', (ctx) =>
        ctx.sse(async (send) => {
          await send({ data: '{"price":1,"token":"hunter1"}' })
          await send({ data: await new Promise<string>((resolve) => (next = resolve)) })
        }),
      )
      .get('/endless', () => new Response(new ReadableStream({ pull: (c) => c.enqueue(part), cancel: cancelled })))
      .get('/parts', (ctx) =>
        ctx.stream(
          async function* () {
            yield 'one'
            yield 'two'
          },
          { 'content-type': 'text/plain' },
        ),
      )
    const port = await freePort(26_000 + (process.pid % 1000), 'localhost')
    inspected(app, { port })
    const server = await app.listen({ port, hostname: 'localhost' })
    const send = (path: string) => fetch(`http://localhost:${port}${path}`)
    const page = async (path: string) =>
      (await (await send(`/__sluice${path}`)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    const until = (path: string, pattern: RegExp) => vi.waitFor(async () => expect(await page(path)).toMatch(pattern))
    return {
      send,
      page,
      until,
      last: () => page('/last'),
      next: (text: string) => next(text),
      cancelled,
      close: () => server.close(),
    }
  }

  test('events are listed when they begin, with their beginning, and get time and size when they end', async () => {
    const { send, page, until, last, next, close } = await streams()
    try {
      const response = await send('/events')
      const begun = await last()
      expect(await page('')).toMatch(/GET \/events 200 open … /)
      await until(
        '/requests/1',
        /200 in .* 37 bytes so far: it is open .* data: {&quot;price&quot;:1,&quot;token&quot;:&quot;\(hidden\)&quot;}/,
      )
      next('done')
      expect(await response.text()).toContain('hunter1')
      await until('', /GET \/events 200 [\d.]+ m?s 49 bytes/)
      expect(await last()).not.toBe(begun)
      expect(await page('/requests/1')).toMatch(/49 bytes, ended after [\d.]+ m?s .* data: done/)
    } finally {
      await close()
    }
  })

  test('one that never ends keeps its beginning alone, is read no faster than its client, and ends with it', async () => {
    const { send, page, until, cancelled, close } = await streams()
    try {
      const reader = (await send('/endless')).body!.getReader()
      for (let size = 0; size < 200_000; ) size += (await reader.read()).value!.byteLength
      expect(await page('')).toMatch(/GET \/endless 200 open … /)
      await reader.cancel()
      await until('', /GET \/endless 200 [\d.]+ m?s [\d,]+ bytes/)
      expect(cancelled).toHaveBeenCalledOnce()
    } finally {
      await close()
    }
  })

  test('of a stream only the beginning is kept, and no more is read than the client asks for', async () => {
    let made = 0
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          made++
          controller.enqueue(new Uint8Array(30_000))
        },
      },
      { highWaterMark: 0 },
    )
    const { response, answer } = followBody(new Response(source, { headers: { 'content-type': 'text/event-stream' } }))
    const reader = response.body!.getReader()
    for (let reads = 0; reads < 10; reads++) await reader.read()
    const kept = answer.chunks.reduce((sum, chunk) => sum + chunk.buffer.byteLength, 0)
    expect({ made, kept, size: answer.size, end: answer.end }).toEqual({
      made: 10,
      kept: 65_536,
      size: 300_000,
      end: undefined,
    })
    await reader.cancel()
    expect(answer.end).toBeGreaterThan(0)
  })

  test('a body in parts arrives as it is', async () => {
    const { send, until, close } = await streams()
    try {
      const response = await send('/parts')
      expect(await response.text()).toBe('onetwo')
      expect(response.headers.get('content-type')).toBe('text/plain')
      await until('/requests/1', /6 bytes, ended after .* Response body onetwo/)
    } finally {
      await close()
    }
  })
})

test('FX1: it is loaded when it is first opened, and not before', async () => {
  const loaded: string[] = []
  const app = createApp()
  createInspector({ app: app as never, port: 0, load: (async (name: string) => loaded.push(name)) as never, env: {} })
  expect(loaded).toEqual([])
})
